import type { Json } from "./json";

/**
 * Changes that the event stream reports, except endpoints and alarms: the kind of a change, and the
 * new state of the changed object.
 */
export interface Change {
  kind: ChangeKind;
  data: Json;
}

export const CHANGE_KINDS = [
  "keys",
  "key-list",
  "radio",
  "neighbour",
  "neighbour-gone",
  "node",
  "node-gone",
  "network",
  "network-figures",
  "association",
  "associations",
  // Changes were lost: all displayed data must be read again.
  "missed",
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];
