import type { Api } from "../../gateway/api";

/** The settings of a domain. */
export interface Domain {
  /** "-" for the domain without a name. */
  name: string;
  trust: "first-use" | "approve" | "listed";
  policy: { register: string[]; read: string[]; command: string[] };
  /** Thumbprints of the keys that may sign commands. */
  commanders: string[];
  rotateAtOnce: boolean;
  confidential: boolean;
  window: number;
  maxClockSkewSeconds: number;
  maxDelaySeconds: number;
  defaultWakeSeconds: number;
  serveStale: boolean;
  /** Bounds of each resource's history; an age or a size of 0 is no bound. */
  history: { values: number; ageSeconds: number; octets: number };
  limits: Limits;
  /** Whether the settings file names the domain. */
  inFile: boolean;
  /** Members that the settings file names: what is stored for them has no effect. */
  fileMembers: string[];
  /** Settings that administrators stored; absent when they stored nothing. */
  stored?: Stored;
  /** How much of the limits is used; absent in lists. */
  use?: Use;
}

export interface Limits {
  payload: number;
  endpoints: number;
  unproven: number;
  unprovenPerSource: number;
  resources: number;
  updatesPerMinute: number;
  updatesPerMinutePerSource: number;
  registrationsPerMinute: number;
  namesPerMinute: number;
  failuresPerMinute: number;
  commands: number;
}

/** Stored settings; absent members have their defaults. */
export type Stored = { readonly [member: string]: unknown };

export interface Use {
  endpoints: number;
  live: number;
  pending: number;
  held: number;
  unproven: number;
  listed: number;
}

export async function listDomains(api: Api): Promise<Domain[]> {
  return ((await api.json("api/domains")) as { domains: Domain[] }).domains;
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
