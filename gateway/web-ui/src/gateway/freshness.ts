import type { Endpoint, Freshness } from "./model";

/** The time of the endpoint's last message, in milliseconds by the gateway's clock. */
export function lastHeard(endpoint: Endpoint): number | undefined {
  let last = endpoint.heardAt;
  for (const { arrivedAt } of endpoint.resources) {
    if (arrivedAt !== undefined && (last === undefined || arrivedAt > last)) last = arrivedAt;
  }
  return last;
}

/**
 * Whether an endpoint wakes as announced. The gateway sends no event when an endpoint becomes late;
 * each update contains the time at which it will be late.
 *
 * @param now milliseconds by the gateway's clock
 */
export function freshnessAt(endpoint: Endpoint, now: number): Freshness | undefined {
  const { lateAt, missingAt } = endpoint;
  if (lateAt === undefined || missingAt === undefined) return endpoint.freshness;
  return now < lateAt ? "on-time" : now < missingAt ? "late" : "missing";
}
