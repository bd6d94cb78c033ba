import type { Endpoint, Freshness } from "./model";

/** When the gateway last received something from the endpoint, in milliseconds by its clock. */
export function lastHeard(endpoint: Endpoint): number | undefined {
  let last = endpoint.heardAt;
  for (const { arrivedAt } of endpoint.resources) {
    if (arrivedAt !== undefined && (last === undefined || arrivedAt > last)) last = arrivedAt;
  }
  return last;
}

/**
 * Whether an endpoint wakes as announced.
 *
 * The gateway sends no event when an endpoint becomes late, so the page computes it from the time of
 * the last reception. Half an interval (at least 2 s, for the way through the radio) is grace; after
 * three intervals the endpoint is missing. Without a known interval the gateway's value is used.
 *
 * @param now milliseconds by the gateway's clock
 */
export function freshnessAt(endpoint: Endpoint, now: number): Freshness | undefined {
  const heard = lastHeard(endpoint);
  if (heard === undefined || endpoint.wakeSeconds === undefined) return endpoint.freshness;
  const wake = endpoint.wakeSeconds * 1000;
  const silence = now - heard - Math.max(2000, wake / 2);
  return silence <= wake ? "on-time" : silence <= 3 * wake ? "late" : "missing";
}
