import { bearer, quoted } from "../../text/clientCommands";

/** The two lookups of RFC 9176 section 6. */
export type Kind = "ep" | "res";

/** The criteria that the page offers; others exist. */
export const CRITERIA = ["ep", "d", "rt", "if", "et", "href"] as const;
export type Criterion = (typeof CRITERIA)[number];

export interface Lookup {
  kind: Kind;
  criteria: Record<Criterion, string>;
  /** From zero. */
  page: number;
  count: number;
}

export const FIRST: Lookup = {
  kind: "ep",
  criteria: { ep: "", d: "", rt: "", if: "", et: "", href: "" },
  page: 0,
  count: 50,
};

/** The path and query of a lookup, as a client sends it; they are the same for both protocols. */
export function pathOf({ kind, criteria, page, count }: Lookup): string {
  const query = [
    ...CRITERIA.filter((name) => criteria[name] !== "").map(
      (name) => `${name}=${encoded(criteria[name])}`,
    ),
    ...(page > 0 ? [`page=${page}`] : []),
    `count=${count}`,
  ];
  return `/rd-lookup/${kind}?${query.join("&")}`;
}

/** Characters that a query may contain unencoded (RFC 3986 section 3.4) stay readable. */
function encoded(value: string): string {
  return encodeURIComponent(value).replace(/%(2F|3A|40|2C|3F)/g, (escape) =>
    decodeURIComponent(escape),
  );
}

/**
 * @param token whether the gateway requires credentials: the variable VIGIL_TOKEN then contains a
 *     token
 */
export function asCurl(url: string, token: boolean): string {
  return `curl${bearer(token)} -H 'Accept: application/link-format' ${quoted(url)}`;
}

export function asCoapClient(base: string, path: string): string {
  return `coap-client-notls -m get -A 40 ${quoted(base + path)}`;
}
