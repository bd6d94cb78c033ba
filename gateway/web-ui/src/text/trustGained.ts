import { instant } from "../gateway/json";
import type { Schemas } from "../gateway/schemas";
import { moment } from "./format";
import { textsOf } from "./language";

/** How a key became trusted, according to the audit trail. */
export interface Gained {
  how: "approved" | "first-use" | "listed" | "rotated";
  /** The actor of the decision; the gateway itself for trust on first use. */
  by: string;
  at: number | undefined;
}

const ACTIONS: readonly (readonly [beginning: string, how: Gained["how"]])[] = [
  // An approval comes first, because a compared fingerprint is stronger than the way the key
  // arrived.
  ["approved", "approved"],
  ["trusted on first use", "first-use"],
  ["trusted as listed", "listed"],
  ["rotated from", "rotated"],
];

/**
 * How a key became trusted; undefined if the trail does not contain it (any more).
 *
 * @param audit the answer of `GET /api/audit`, the oldest decision first
 */
export function gainedIn(audit: unknown, thumbprint: string): Gained | undefined {
  const about = (audit as Schemas["Audit"]).decisions.filter(({ key }) => key === thumbprint);
  for (const [beginning, how] of ACTIONS) {
    const decision = about.findLast(({ what }) => what.startsWith(beginning));
    if (decision !== undefined) return { how, by: decision.by, at: instant(decision.at) };
  }
  return undefined;
}

/** Such as "approved by ann on 3 January 2026, 10:00". */
export function gainedText({ how, by, at }: Gained): string {
  const words = textsOf(gainedMessages);
  const when = at === undefined ? "" : words.on(moment(at));
  return how === "approved"
    ? words.approved(by.replace(/^account:/, "")) + when
    : words[how] + when;
}

const gainedMessages = {
  en: {
    on: (at: string) => ` on ${at}`,
    approved: (by: string) => `approved by ${by}`,
    "first-use": "trusted on first use, without a check,",
    listed: "trusted because it is on the list of its domain,",
    rotated: "signed by the previous key,",
  },
  de: {
    on: (at: string) => ` am ${at}`,
    approved: (by: string) => `freigegeben von ${by}`,
    "first-use": "beim ersten Kontakt ungesehen angenommen,",
    listed: "angenommen, weil er auf der Liste der Domäne steht,",
    rotated: "vom Schlüssel davor signiert,",
  },
};
