import type { ShownEndpoint } from "../../gateway/endpointStore";
import { freshnessAt, lastHeard } from "../../gateway/freshness";
import { oneOf } from "../../gateway/json";
import {
  FRESHNESSES,
  TRUSTS,
  type Endpoint,
  type Freshness,
  type Trust,
} from "../../gateway/model";
import { nameKey } from "../../gateway/names";
import { needsAttention } from "../../gateway/selection";
import { sorted } from "../../parts/sorting";

export const COLUMNS = ["name", "domain", "state", "heard", "trust"] as const;
export type ColumnName = (typeof COLUMNS)[number];

/** Filters and order of the list. */
export interface Query {
  text: string;
  /** Empty: any. */
  freshness: Freshness | "attention" | "";
  trust: Trust | "";
  /** Undefined: any; empty: the domain without a name. */
  domain: string | undefined;
  /** Tags that an endpoint has, all of them. */
  tags: readonly string[];
  column: ColumnName;
  descending: boolean;
}

export const EVERYTHING: Query = {
  text: "",
  freshness: "",
  trust: "",
  domain: undefined,
  tags: [],
  column: "name",
  descending: false,
};

/** The query in the parameters of an address; unknown parameters are as in `EVERYTHING`. */
export function queryOf(parameters: URLSearchParams): Query {
  const given = (name: string) => parameters.get(name) ?? "";
  const sort = given("sort");
  return {
    text: given("text"),
    freshness: oneOf(["attention", ...FRESHNESSES] as const, given("state")) ?? "",
    trust: oneOf(TRUSTS, given("trust")) ?? "",
    domain: parameters.get("domain") ?? undefined,
    // Tags have no commas.
    tags: given("tag") === "" ? EVERYTHING.tags : given("tag").split(","),
    column: oneOf(COLUMNS, sort.replace(/^-/, "")) ?? EVERYTHING.column,
    descending: sort.startsWith("-"),
  };
}

/** The parameters that stand for a query; undefined as in `EVERYTHING`. */
export function parametersOf(query: Query): Record<string, string | undefined> {
  const sort = (query.descending ? "-" : "") + query.column;
  return {
    text: query.text || undefined,
    state: query.freshness || undefined,
    trust: query.trust || undefined,
    domain: query.domain,
    tag: query.tags.join(",") || undefined,
    sort: sort === EVERYTHING.column ? undefined : sort,
  };
}

export function isFiltered({ text, freshness, trust, domain, tags }: Query): boolean {
  return text !== "" || freshness !== "" || trust !== "" || domain !== undefined || tags.length > 0;
}

/** The endpoints that a query selects, in its order. */
export function listOf(
  endpoints: readonly ShownEndpoint[],
  query: Query,
  now: number,
): readonly ShownEndpoint[] {
  const words = query.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const found = isFiltered(query)
    ? endpoints.filter(
        (shown) =>
          (query.domain === undefined || shown.endpoint.d === query.domain) &&
          (query.trust === "" || shown.endpoint.trust === query.trust) &&
          query.tags.every((tag) => shown.endpoint.tags.includes(tag)) &&
          isFresh(shown, query.freshness, now) &&
          (words.length === 0 || hasWords(shown.endpoint, words)),
      )
    : endpoints;
  // The store sorts them by name.
  if (query.column === "name" && !query.descending && found.every(isUnnamed)) return found;
  return sorted(found, ({ endpoint }) => valueOf(endpoint, query.column, now), query.descending);
}

/** The name that people read. */
export function displayName({ name, ep }: Endpoint): string {
  return name === "" ? ep : name;
}

function isUnnamed({ endpoint }: ShownEndpoint): boolean {
  return endpoint.name === "";
}

function isFresh(shown: ShownEndpoint, wanted: Query["freshness"], now: number): boolean {
  if (wanted === "") return true;
  if (wanted === "attention") return needsAttention(shown, now);
  return freshnessAt(shown.endpoint, now) === wanted;
}

/** Texts to search in. A changed endpoint is a new object. */
const texts = new WeakMap<Endpoint, string>();

function hasWords(endpoint: Endpoint, words: readonly string[]): boolean {
  let text = texts.get(endpoint);
  if (text === undefined) {
    const resources = endpoint.resources.map(({ path, rt }) => `${path} ${rt}`);
    const all = [endpoint.ep, endpoint.name, endpoint.location, endpoint.d];
    text = [...all, ...endpoint.tags, ...resources].join(" ").toLowerCase();
    texts.set(endpoint, text);
  }
  return words.every((word) => text.includes(word));
}

function valueOf(endpoint: Endpoint, column: ColumnName, now: number): string | number | undefined {
  switch (column) {
    case "name":
      return nameKey(displayName(endpoint));
    case "domain":
      return nameKey(endpoint.d);
    case "state": {
      const freshness = freshnessAt(endpoint, now);
      return freshness === undefined ? undefined : FRESHNESSES.indexOf(freshness);
    }
    case "heard": {
      const heard = lastHeard(endpoint);
      return heard === undefined ? undefined : now - heard;
    }
    case "trust":
      return endpoint.trust === undefined ? undefined : TRUSTS.indexOf(endpoint.trust);
  }
}
