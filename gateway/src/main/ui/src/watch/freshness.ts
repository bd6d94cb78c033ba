import type { Endpoint, Freshness } from "./model";

/** When the endpoint was last heard, in milliseconds by the gateway's clock. */
export function lastHeard(endpoint: Endpoint): number | undefined {
  const moments = [
    endpoint.heardAt,
    ...endpoint.resources.map(({ arrivedAt }) => arrivedAt),
  ].filter((moment) => moment !== undefined);
  return moments.length === 0 ? undefined : Math.max(...moments);
}

/**
 * How an endpoint keeps its own promise to wake.
 *
 * Silence makes no event, so the page counts for itself from the moment the endpoint was heard. Half
 * an interval (at least 2 s, for the way through the radio) is grace, so that a punctual mote does
 * not blink; after three intervals it is missing. Without a known interval the gateway's word stands.
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
