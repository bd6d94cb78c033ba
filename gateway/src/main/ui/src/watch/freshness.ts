import { FRESHNESSES, type Endpoint, type Freshness } from "./model";

/** When the endpoint was last heard, in milliseconds by the gateway's clock. */
export function lastHeard(endpoint: Endpoint): number | undefined {
  const moments = endpoint.resources
    .map((resource) => resource.arrivedAt)
    .filter((moment) => moment !== undefined);
  return moments.length === 0 ? undefined : Math.max(...moments);
}

/**
 * How an endpoint keeps its own promise to wake.
 *
 * Silence makes no event, so the page lets the gateway's judgement age: half an interval (at least
 * 2 s, for the way through the radio) is grace, after three intervals the endpoint is missing. It
 * never shows an endpoint in better health than the gateway does.
 *
 * @param now milliseconds by the gateway's clock
 */
export function freshnessAt(endpoint: Endpoint, now: number): Freshness | undefined {
  const heard = lastHeard(endpoint);
  if (heard === undefined || endpoint.wakeSeconds === undefined) return endpoint.freshness;
  const wake = endpoint.wakeSeconds * 1000;
  const silence = now - heard;
  const grace = Math.max(2000, wake / 2);
  const own =
    silence <= wake + grace ? "on-time" : silence <= 3 * wake + grace ? "late" : "missing";
  const worse = Math.max(rank(own), rank(endpoint.freshness ?? "on-time"));
  return FRESHNESSES[worse];
}

function rank(freshness: Freshness): number {
  return FRESHNESSES.indexOf(freshness);
}
