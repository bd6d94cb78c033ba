import type { ShownEndpoint } from "../../gateway/endpointStore";
import { decimal } from "../../text/format";
import { interfaceId, interfaceIdOf } from "./addresses";
import type { Kind } from "../../parts/meshLayout";
import type { MeshNode, Neighbour, Network } from "./api";

/** The line to a node's parent: a route of the DODAG, a radio that hears it, or none. */
export type Link = "route" | "heard" | "none";

/** Whether a node can be reached, as far as the gateway knows. */
export type Reach = "reachable" | "silent" | "no-route";

/** A node of the picture: a node of the DODAG, a neighbour, or both. */
export interface GraphNode {
  /** Its interface identifier, which is the same in all its addresses. */
  id: string;
  /** The id of the node above it. */
  parent: string | undefined;
  link: Link;
  reach: Reach;
  neighbour: Neighbour | undefined;
  mesh: MeshNode | undefined;
  endpoint: Named | undefined;
}

/** The endpoint of a node, and its name for people. */
export interface Named {
  id: string;
  ep: string;
  name: string;
}

/** Endpoints that came over the mesh, by the interface identifier of their node. */
export type Endpoints = ReadonlyMap<string, Named>;

export function endpointsByNode(endpoints: readonly ShownEndpoint[]): Endpoints {
  const named = new Map<string, Named>();
  for (const { endpoint } of endpoints) {
    const { id, ep, name, eui64 } = endpoint;
    if (eui64 !== "") named.set(interfaceIdOf(eui64), { id, ep, name: name === "" ? ep : name });
  }
  return named;
}

export interface Graph {
  root: string;
  nodes: GraphNode[];
}

/** Three times the longest default between two wake-ups. */
const SILENT = 15 * 60_000;

/** Combines the neighbours that the radio hears with the nodes that the root of the DODAG knows. */
export function graphOf(network: Network, now: number, endpoints: Endpoints = new Map()): Graph {
  const root = interfaceIdOf(network.radio.eui64);
  // A slip-radio has an EUI-64 of its own.
  const own = new Set([root, ...network.radios.map(({ eui64 }) => interfaceIdOf(eui64 ?? ""))]);
  const neighbours = new Map(network.neighbours.map((one) => [interfaceIdOf(one.eui64), one]));
  const nodes = new Map<string, GraphNode>();
  for (const mesh of network.nodes) {
    const id = interfaceId(mesh.address);
    if (id === "" || own.has(id)) continue;
    const neighbour = neighbours.get(id);
    const parent = interfaceId(mesh.parent ?? "");
    const routed = parent !== "" && mesh.hops !== undefined;
    const link = routed ? "route" : neighbour === undefined ? "none" : "heard";
    nodes.set(id, {
      id,
      parent: routed ? (own.has(parent) ? root : parent) : link === "heard" ? root : undefined,
      link,
      reach: reachOf(routed, heardBefore(mesh, neighbour, now)),
      neighbour,
      mesh,
      endpoint: endpoints.get(id),
    });
  }
  for (const [id, neighbour] of neighbours) {
    if (nodes.has(id) || id === "" || own.has(id)) continue;
    const reach = reachOf(true, heardBefore(undefined, neighbour, now));
    nodes.set(id, {
      id,
      parent: root,
      link: "heard",
      reach,
      neighbour,
      mesh: undefined,
      endpoint: endpoints.get(id),
    });
  }
  return { root, nodes: [...nodes.values()].sort((one, other) => (one.id < other.id ? -1 : 1)) };
}

/** Milliseconds since a node was heard in any way; undefined if it was never heard. */
export function heardBefore(
  mesh: MeshNode | undefined,
  neighbour: Neighbour | undefined,
  now: number,
): number | undefined {
  const heardHere = neighbour && Date.parse(neighbour.heardAt);
  const times = [mesh?.heardAt, heardHere].filter((one) => one !== undefined);
  return times.length === 0 ? undefined : Math.max(0, now - Math.max(...times));
}

function reachOf(connected: boolean, heard: number | undefined): Reach {
  if (!connected) return "no-route";
  return heard !== undefined && heard > SILENT ? "silent" : "reachable";
}

/** The hops of a node's route; "heard" without a route, and undefined if no radio hears it either. */
export function wayTo({ link, mesh }: GraphNode): number | "heard" | undefined {
  return link === "route" ? mesh?.hops : link === "heard" ? link : undefined;
}

/** Label of the node's endpoint; empty when it is not known. */
export function nameOf({ endpoint, mesh }: GraphNode): string {
  return endpoint?.name ?? mesh?.ep ?? "";
}

/** The number of characters that fit below a node. */
const LETTERS = 11;

/** The name of a node's endpoint, short enough for the picture; empty when it is not known. */
export function caption(node: GraphNode): string {
  const letters = [...nameOf(node)];
  if (letters.length <= LETTERS) return letters.join("");
  // Names often have the same beginning, so their ends distinguish them.
  return `${letters.slice(0, 4).join("")}…${letters.slice(5 - LETTERS).join("")}`;
}

/** The quality of a link in three steps. */
export type Quality = "good" | "fair" | "poor";

/**
 * From the transmissions per frame if known, otherwise from the measured quality of received
 * frames.
 */
export function qualityOf(neighbour: Neighbour | undefined): Quality | undefined {
  const { etx, lqi } = neighbour ?? {};
  if (etx !== undefined) return etx <= 1.5 ? "good" : etx <= 3 ? "fair" : "poor";
  if (lqi !== undefined) return lqi >= 170 ? "good" : lqi >= 85 ? "fair" : "poor";
  return undefined;
}

/** Motes of one kind may form a cluster in the picture. */
export function kindOf({ reach, neighbour, mesh }: GraphNode): Kind {
  if (reach !== "reachable") return reach;
  const direct = mesh?.hops === undefined || mesh.hops === 1;
  return direct && qualityOf(neighbour) === "poor" ? "poor" : "fine";
}

/**
 * The nodes whose name, endpoint or addresses contain all words of a text; undefined without words.
 */
export function search(nodes: readonly GraphNode[], text: string): GraphNode[] | undefined {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return undefined;
  return nodes.filter((node) => {
    const { id, endpoint, mesh, neighbour } = node;
    const texts = [id, nameOf(node), endpoint?.ep, mesh?.ep, mesh?.address, neighbour?.eui64];
    const all = texts.join(" ").toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

/** Expected transmissions of a frame; a dash if unknown. */
export function etxText(neighbour: Neighbour | undefined): string {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return neighbour?.etx === undefined ? "–" : decimal(neighbour.etx, digits);
}

/** The names of IEEE 802.15.4 security levels (IEEE Std 802.15.4-2020, table 9-6). */
const LEVELS = [
  "none",
  "MIC-32",
  "MIC-64",
  "MIC-128",
  "ENC",
  "ENC-MIC-32",
  "ENC-MIC-64",
  "ENC-MIC-128",
];

export function levelName(level: number): string {
  return LEVELS[level] ?? String(level);
}
