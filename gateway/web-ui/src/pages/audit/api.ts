import type { Api } from "../../gateway/api";
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

export function readTrail(api: Api, filter: TrailFilter, before?: number): Promise<Trail> {
  const query = new URLSearchParams();
  if (filter.text.trim() !== "") query.set("text", filter.text.trim());
  if (filter.ep.trim() !== "") {
    query.set("ep", filter.ep.trim());
    query.set("d", filter.d);
  }
  if (before !== undefined) query.set("before", before.toString());
  return api.json(`api/audit?${query}`) as Promise<Trail>;
}
