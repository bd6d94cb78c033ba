import type { ShownEndpoint } from "./endpointStore";
import type { ShownResource } from "./verification";
import { freshnessAt } from "./freshness";
import type { Endpoint } from "./model";

/** A key of an endpoint that differs from the remembered one. */
export interface OtherKey {
  thumbprint: string;
  /** Whether this key has signed a reading; otherwise the gateway only lists it. */
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

/** The address of an endpoint's page, or of one of its resources there. */
export function pathOf(endpoint: Pick<Endpoint, "id">, path?: string): string {
  const page = `/endpoints/${encodeURIComponent(endpoint.id)}`;
  return path === undefined ? page : `${page}/${encodeURIComponent(path)}`;
}

/**
 * The resource that the rest of an address names; undefined when there is none.
 *
 * @param rest as the router gives it: decoded once, except for reserved characters
 */
export function resourceAt(
  { resources }: ShownEndpoint,
  rest: string | undefined,
): ShownResource | undefined {
  return resources.find(({ resource }) => decodeURI(encodeURIComponent(resource.path)) === rest);
}
