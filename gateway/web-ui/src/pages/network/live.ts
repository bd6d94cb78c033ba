import type { Change } from "../../gateway/changes";
import { readNode, type MeshNode, type Neighbour, type Network } from "./api";

/** The network after a change; the same object if the change is unrelated. */
export function changed(network: Network, { kind, data }: Change, now: number): Network {
  switch (kind) {
    case "radio": {
      const radio = data as unknown as Network["radios"][number];
      return { ...network, radios: replaced(network.radios, "name", radio) };
    }
    case "neighbour": {
      const neighbour = data as unknown as Neighbour;
      return { ...network, neighbours: replaced(network.neighbours, "eui64", neighbour) };
    }
    case "neighbour-gone": {
      const { eui64 } = data;
      return { ...network, neighbours: network.neighbours.filter((one) => one.eui64 !== eui64) };
    }
    case "node": {
      const node: MeshNode = readNode(data, now);
      return { ...network, nodes: replaced(network.nodes, "address", node) };
    }
    case "node-gone": {
      const { address } = data;
      return { ...network, nodes: network.nodes.filter((one) => one.address !== address) };
    }
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

function replaced<T, K extends keyof T>(before: readonly T[], key: K, now: T): T[] {
  const known = before.some((one) => one[key] === now[key]);
  return known ? before.map((one) => (one[key] === now[key] ? now : one)) : [...before, now];
}
