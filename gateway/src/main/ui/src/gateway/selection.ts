import type { ShownEndpoint, ShownResource } from "./endpointStore";
import { freshnessAt } from "./freshness";
import type { Endpoint } from "./model";

/** A key of an endpoint that differs from the remembered one. */
export interface OtherKey {
  thumbprint: string;
  /** Whether it has signed a reading; otherwise the gateway only lists it. */
  signs: boolean;
}

export function otherKeyOf({ endpoint, resources, pin }: ShownEndpoint): OtherKey | undefined {
  if (pin === undefined) return undefined;
  for (const { verification } of resources) {
    if (verification.state !== "refused" || verification.failed !== "pin") continue;
    const kid = verification.original?.header?.kid;
    if (kid !== undefined) return { thumbprint: kid, signs: true };
  }
  const listed = endpoint.keyThumbprint;
  return listed === "" || listed === pin.thumbprint
    ? undefined
    : { thumbprint: listed, signs: false };
}

/** Whether an endpoint is late, not trusted, has another key, or has a value that is not verified. */
export function needsAttention(shown: ShownEndpoint, now: number): boolean {
  const freshness = freshnessAt(shown.endpoint, now);
  return (
    freshness === "late" ||
    freshness === "missing" ||
    (shown.endpoint.trust !== undefined && shown.endpoint.trust !== "trusted") ||
    otherKeyOf(shown) !== undefined ||
    shown.resources.some(
      ({ verification: { state } }) => state === "refused" || state === "unchecked",
    )
  );
}

/** Whether each word of the filter occurs in the names of the endpoint or of its resources. */
export function matches({ endpoint }: ShownEndpoint, filter: string): boolean {
  const words = filter.toLowerCase().split(/\s+/);
  const names = [
    endpoint.ep,
    endpoint.d,
    ...endpoint.resources.map(({ path, rt }) => `${path} ${rt}`),
  ];
  const text = names.join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
}

/** The address (fragment) of a resource's drawer, which can be bookmarked and shared. */
export function addressOf(endpoint: Endpoint, path: string): string {
  return `#/endpoints/${encodeURIComponent(endpoint.id)}/${encodeURIComponent(path)}`;
}

/** The resource with an address; undefined when there is none. */
export function resourceAt(
  endpoints: readonly ShownEndpoint[],
  address: string,
): readonly [ShownEndpoint, ShownResource] | undefined {
  if (address.length < 2) return undefined;
  for (const endpoint of endpoints) {
    for (const shown of endpoint.resources) {
      if (addressOf(endpoint.endpoint, shown.resource.path) === address) {
        return [endpoint, shown];
      }
    }
  }
  return undefined;
}
