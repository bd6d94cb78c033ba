import type { Api } from "../../gateway/api";
import { instant, text, type Json } from "../../gateway/json";
import { domainName, query, readKeys, type Key } from "../../gateway/keys";
import { inParts } from "../../gateway/outcomes";
import type { Schemas } from "../../gateway/schemas";
import { gainedIn, type Gained } from "../../text/trustGained";
import { formatOf, MEDIA_TYPES } from "./importFormat";

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
