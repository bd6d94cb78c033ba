import type { Change } from "../../gateway/changes";
import { list, object, type Json } from "../../gateway/json";
import { TOLD_AT } from "./api";

/** The answer of `GET /api/network`; its nodes say when they were told. */
export function told(json: unknown, now: number): Json {
  const network = object(json);
  return { ...network, nodes: list(network["nodes"]).map((node) => ({ ...node, [TOLD_AT]: now })) };
}

/** The network after a change; the same object when the change is about something else. */
export function changed(network: Json, { kind, data }: Change, now: number): Json {
  switch (kind) {
    case "radio":
      return replaced(network, "radios", "name", data);
    case "neighbour":
      return replaced(network, "neighbours", "eui64", data);
    case "neighbour-gone":
      return without(network, "neighbours", "eui64", data);
    case "node":
      return replaced(network, "nodes", "address", { ...data, [TOLD_AT]: now });
    case "node-gone":
      return without(network, "nodes", "address", data);
    case "network-figures":
      return { ...network, ...data };
    case "network":
    case "missed":
    case "keys":
    case "key-list":
    case "association":
    case "associations":
      return network;
  }
}

/** Whether the whole network must be read again after a change. */
export function needsReading({ kind }: Change): boolean {
  return kind === "network" || kind === "missed";
}

function replaced(network: Json, member: string, key: string, data: Json): Json {
  const before = list(network[member]);
  const known = before.some((one) => one[key] === data[key]);
  const after = known
    ? before.map((one) => (one[key] === data[key] ? data : one))
    : [...before, data];
  return { ...network, [member]: after };
}

function without(network: Json, member: string, key: string, data: Json): Json {
  return { ...network, [member]: list(network[member]).filter((one) => one[key] !== data[key]) };
}
