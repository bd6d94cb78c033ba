import type { Api } from "../../gateway/api";
import type { Schemas } from "../../gateway/schemas";

/** The settings of a domain; "-" is the domain without a name. */
export type Domain = Schemas["Domain"];
export type Limits = Schemas["DomainLimits"];
/** Stored settings; absent members have their defaults. */
export type Stored = { readonly [member: string]: unknown };
export type Use = Schemas["DomainUsage"];

export async function listDomains(api: Api): Promise<Domain[]> {
  return ((await api.json("api/domains")) as Schemas["Domains"]).domains;
}

export function readDomain(api: Api, name: string): Promise<Domain> {
  return api.json(`api/domains/${encodeURIComponent(name)}`) as Promise<Domain>;
}

/** The stored settings of a domain with the entity tag of their version. */
export async function readStored(api: Api, name: string): Promise<{ domain: Domain; tag: string }> {
  const { json, tag } = await api.tagged(`api/domains/${encodeURIComponent(name)}`);
  return { domain: json as Domain, tag };
}

export async function putDomain(
  api: Api,
  name: string,
  settings: object,
  tag: string,
): Promise<void> {
  await api.send("PUT", `api/domains/${encodeURIComponent(name)}`, settings, tag);
}

export async function removeDomain(api: Api, name: string): Promise<void> {
  await api.send("DELETE", `api/domains/${encodeURIComponent(name)}`);
}
