import { ApiProblem, type Api } from "./api";
import { instant } from "./json";
import type { Schemas } from "./schemas";

export const KEY_STATES = [
  "pending",
  "held",
  "trusted",
  "listed",
  "unproven",
  "replaced",
  "revoked",
] as const satisfies readonly KeyState[];
export type KeyState = Schemas["Key"]["state"];

/**
 * A key with one endpoint name. For a listed key it is the only name that the key may register.
 * Members that the gateway leaves out are empty texts.
 */
export interface Key extends Required<
  Pick<Schemas["Key"], "thumbprint" | "endpoint" | "ep" | "d" | "state" | "note">
> {
  /** Milliseconds since 1970, by the gateway's clock. */
  since: number | undefined;
  /** Source address; empty when the gateway does not know it. */
  from: string;
}

export interface KeyPage {
  keys: Key[];
  /** The cursor of the next page; empty on the last. */
  next: string;
}

/** The answer of `GET /api/keys`. */
export function readKeys(json: unknown): KeyPage {
  const { keys, next = "" } = json as Schemas["Keys"];
  return { keys: keys.map(readKey), next };
}

function readKey(json: Schemas["Key"]): Key {
  const { thumbprint, endpoint = "", ep = "", d, state, note = "" } = json;
  return {
    thumbprint,
    endpoint,
    ep,
    d,
    state,
    note,
    since: instant(json.waitingSince),
    from: json.waitingFrom ?? "",
  };
}

/** The listed keys and those of the next page; unchanged if it is no longer the next one. */
export function withFollowing(listed: KeyPage, after: string, next: KeyPage): KeyPage {
  return listed.next === after ? { ...next, keys: [...listed.keys, ...next.keys] } : listed;
}

const PAGE = 200;

export interface KeyFilter {
  state: KeyState | "";
  ep: string;
}

/** @throws ApiProblem */
export async function keys(api: Api, filter: KeyFilter, after = ""): Promise<KeyPage> {
  const asked = { limit: String(PAGE), state: filter.state, ep: filter.ep, after };
  return readKeys(await api.json(`api/keys${query(asked)}`));
}

/** A key under each endpoint name; none if the gateway does not know it. @throws ApiProblem */
export async function keysWith(api: Api, thumbprint: string): Promise<Key[]> {
  try {
    return readKeys(await api.json(`api/keys/${thumbprint}`)).keys;
  } catch (problem) {
    if (problem instanceof ApiProblem && problem.status === 404) return [];
    throw problem;
  }
}

/** The name of a domain in requests; a hyphen stands for the domain without a name. */
export function domainName(d: string): string {
  return d === "" ? "-" : d;
}

/**
 * Trusts a key: for the endpoint whose name it requests, else at its next registration.
 *
 * @param place the endpoint's id or a domain; without either, all domains
 * @throws ApiProblem
 */
export async function approve(
  api: Api,
  thumbprint: string,
  place: { endpoint?: string; d?: string },
): Promise<void> {
  await api.send("POST", `api/keys/${thumbprint}/approve${query(place)}`);
}

/** Parameters of a request; empty and undefined ones are left out. */
export function query(parameters: Record<string, string | undefined>): string {
  const given = Object.entries(parameters).filter(
    (one): one is [string, string] => one[1] !== undefined && one[1] !== "",
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}
