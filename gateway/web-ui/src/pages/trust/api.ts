import type { Api } from "../../gateway/api";
import { instant, text, type Json } from "../../gateway/json";
import { inParts } from "../../gateway/outcomes";
import type { Schemas } from "../../gateway/schemas";
import { gainedIn, type Gained } from "../../text/trustGained";
import { formatOf, MEDIA_TYPES } from "./importFormat";

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

/**
 * Keys that wait for a decision, or request the name of another key, the longest waiting first;
 * more than a thousand of a state are not shown.
 *
 * @throws ApiProblem
 */
export async function waitingKeys(api: Pick<Api, "json">): Promise<Key[]> {
  const [pending, held] = await Promise.all(
    ["pending", "held"].map(async (state) =>
      readKeys(await api.json(`api/keys?state=${state}&limit=1000`)),
    ),
  );
  return longestFirst([...(held?.keys ?? []), ...(pending?.keys ?? [])]);
}

/**
 * The waiting keys after those of one endpoint's name changed.
 *
 * @param event all keys of the name; others are gone
 */
export function withKeysOf(waiting: readonly Key[], event: Json): Key[] {
  const id = text(event["endpoint"]);
  const present = readKeys(event).keys.filter(
    ({ state }) => state === "pending" || state === "held",
  );
  return longestFirst([...waiting.filter(({ endpoint }) => endpoint !== id), ...present]);
}

/** The longest waiting first. */
export function longestFirst(keys: readonly Key[]): Key[] {
  return [...keys].sort(
    (one, other) => (one.since ?? 0) - (other.since ?? 0) || (one.ep < other.ep ? -1 : 1),
  );
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

/**
 * Approves keys that wait for endpoints' names.
 *
 * @param onDone called with the endpoint of each key that is done
 * @throws ApiProblem the first refusal, once all were tried
 */
export async function approveAll(
  api: Api,
  waiting: readonly Key[],
  onDone: (endpoint: string) => void,
): Promise<void> {
  await inParts(waiting, onDone, (part) =>
    api.send("POST", "api/keys/decisions", {
      decisions: part.map(({ thumbprint, endpoint }) => ({
        thumbprint,
        endpoint,
        decision: "approve",
      })),
    }),
  );
}

/** @throws ApiProblem */
export async function refuse(api: Api, { thumbprint, endpoint }: Key): Promise<void> {
  await api.send("POST", `api/keys/${thumbprint}/refuse${query({ endpoint })}`);
}

/** @throws ApiProblem */
export async function revoke(api: Api, thumbprint: string): Promise<void> {
  await api.send("POST", `api/keys/${thumbprint}/revoke`);
}

/** Takes a key off the list of its domain. @throws ApiProblem */
export async function unlist(api: Api, { thumbprint, d }: Key): Promise<void> {
  await api.send("DELETE", `api/keys/${thumbprint}${query({ d: domainName(d) })}`);
}

/** The number of imported keys. @throws ApiProblem with the line, when nothing was imported */
export async function importKeys(api: Api, d: string, body: string): Promise<number> {
  const answer = await api.sendText(
    `api/keys${query({ d: domainName(d) })}`,
    MEDIA_TYPES[formatOf(body)],
    body,
  );
  return (answer as Schemas["Imported"]).listed;
}

function query(parameters: Record<string, string | undefined>): string {
  const given = Object.entries(parameters).filter(
    (one): one is [string, string] => one[1] !== undefined && one[1] !== "",
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}

export type TrustPolicy = Schemas["Domain"]["trust"];

export interface DomainTrust {
  d: string;
  trust: TrustPolicy;
}

/** How each domain that the account operates trusts new keys: the answer of `GET /api/domains`. */
export function readDomains(json: unknown): DomainTrust[] {
  return (json as Schemas["Domains"]).domains.map(({ name, trust }) => ({
    d: name === "-" ? "" : name,
    trust,
  }));
}

/** The current key of a name, compared with a key that requests the name. */
export interface PresentKey {
  thumbprint: string;
  registeredAt: number | undefined;
  /** The first decision about it; undefined if the audit trail no longer contains it. */
  firstAt: number | undefined;
  gained: Gained | undefined;
}

/** The key that has the name of an endpoint now. @throws ApiProblem */
export async function presentKey(
  api: Api,
  { endpoint, ep, d }: Pick<Key, "endpoint" | "ep" | "d">,
): Promise<PresentKey> {
  const [shown, audit] = await Promise.all([
    api.json(`api/endpoints/${encodeURIComponent(endpoint)}`),
    api.json(`api/audit${query({ ep, d: domainName(d), after: "0", limit: "1000" })}`),
  ]);
  const { keyThumbprint: thumbprint, registeredAt } = shown as Schemas["Endpoint"];
  return {
    thumbprint,
    registeredAt: instant(registeredAt),
    firstAt: firstSeen(audit, thumbprint),
    gained: gainedIn(audit, thumbprint),
  };
}

/** The time of the first decision about a key, in an audit trail with the oldest first. */
export function firstSeen(audit: unknown, thumbprint: string): number | undefined {
  const { decisions } = audit as Schemas["Audit"];
  return instant(decisions.find(({ key }) => key === thumbprint)?.at);
}
