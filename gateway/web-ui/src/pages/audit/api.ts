import type { Schemas } from "../../gateway/schemas";

/** One decision in the audit trail; entries of one request share their position. */
export type Decision = Schemas["Decision"];
export type Trail = Schemas["Audit"];

export interface TrailFilter {
  /** Text to search in actor, action, endpoint and record. */
  text: string;
  /** Name of one endpoint, in the domain `d`; empty for all. */
  ep: string;
  /** "-" for the domain without a name. */
  d: string;
}

/** The domain of the named endpoint: the chosen one if the account operates it, else the first. */
export function domainOf({ d }: TrailFilter, domains: readonly string[]): string {
  return domains.includes(d) ? d : (domains[0] ?? "-");
}

/** @param before only decisions before this position */
export function trailPath(filter: TrailFilter, before?: number): string {
  const query = new URLSearchParams();
  if (filter.text.trim() !== "") query.set("text", filter.text.trim());
  if (filter.ep.trim() !== "") {
    query.set("ep", filter.ep.trim());
    query.set("d", filter.d);
  }
  if (before !== undefined) query.set("before", before.toString());
  return `api/audit?${query}`;
}
