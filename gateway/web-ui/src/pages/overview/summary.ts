import type { ShownEndpoint } from "../../gateway/endpointStore";
import { freshnessAt } from "../../gateway/freshness";
import { otherKeyOf } from "../../gateway/selection";

/** The reasons why an endpoint needs attention, the most urgent first. */
export const REASONS = ["other-key", "held", "pending", "missing", "late"] as const;
export type Reason = (typeof REASONS)[number];

export interface Attention {
  shown: ShownEndpoint;
  reason: Reason;
}

export interface Summary {
  endpoints: number;
  onTime: number;
  late: number;
  missing: number;
  /** Endpoints whose key is not trusted: the gateway refuses their updates. */
  notTrusted: number;
  heldKeys: number;
  pendingKeys: number;
  /** The most urgent first. */
  attention: readonly Attention[];
  /** Refused requests since the gateway's start, the most frequent reason first. */
  rejections: readonly (readonly [reason: string, count: number])[];
}

/** The figures of the overview about all endpoints. */
export function summaryOf(endpoints: readonly ShownEndpoint[], now: number): Summary {
  const counts = { "on-time": 0, late: 0, missing: 0, "not-trusted": 0 };
  const found = new Map<Reason, Attention[]>(REASONS.map((reason) => [reason, []]));
  const rejections = new Map<string, number>();
  let heldKeys = 0;
  let pendingKeys = 0;
  for (const shown of endpoints) {
    const { endpoint } = shown;
    const freshness = freshnessAt(endpoint, now);
    if (freshness !== undefined) counts[freshness]++;
    const held = endpoint.waitingKeys.filter((key) => key.held).length;
    const pending = endpoint.waitingKeys.length - held;
    heldKeys += held;
    pendingKeys += pending;
    for (const [reason, count] of endpoint.rejections) {
      rejections.set(reason, (rejections.get(reason) ?? 0) + count);
    }
    const reason =
      otherKeyOf(shown) !== undefined
        ? "other-key"
        : held > 0
          ? "held"
          : pending > 0
            ? "pending"
            : freshness === "missing" || freshness === "late"
              ? freshness
              : undefined;
    if (reason !== undefined) found.get(reason)?.push({ shown, reason });
  }
  return {
    endpoints: endpoints.length,
    onTime: counts["on-time"],
    late: counts.late,
    missing: counts.missing,
    notTrusted: counts["not-trusted"],
    heldKeys,
    pendingKeys,
    attention: REASONS.flatMap((reason) => found.get(reason) ?? []),
    rejections: [...rejections].sort(([, one], [, other]) => other - one),
  };
}
