import type { Api } from "../../gateway/api";

/** One decision in the audit trail. */
export interface Decision {
  /** Entries of one request share it. */
  position: number;
  at: string;
  endpoint?: string;
  ep?: string;
  d: string;
  what: string;
  /** Thumbprint of the key that the decision is about. */
  key?: string;
  by: string;
  /** Kind of the changed record, for instance "alarm-rule". */
  kind?: string;
  record?: string;
  /** The record before and after, without its secrets; absent when it is new, or removed. */
  before?: unknown;
  after?: unknown;
}

export interface Trail {
  decisions: Decision[];
  /** The position that the next page begins before; absent at the end. */
  next?: number;
}

export interface TrailFilter {
  /** Looked for in who, what, endpoint and record. */
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
