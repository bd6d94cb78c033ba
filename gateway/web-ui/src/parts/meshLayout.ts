import { hierarchy, tree } from "d3-hierarchy";

/** The common property of a group of motes; only similar motes form a cluster. */
export type Kind = "fine" | "poor" | "silent" | "no-route";
const KINDS: readonly Kind[] = ["no-route", "silent", "poor", "fine"];

/** A node of the mesh and the node above it. */
export interface TreeNode {
  id: string;
  /** Undefined for nodes whose parent is not known. */
  parent: string | undefined;
  kind: Kind;
  /** The name for people, by which siblings are sorted. */
  name: string;
}

/** Motes without children that appear as one element of the picture until it is opened. */
export interface Cluster {
  id: string;
  kind: Kind;
  members: readonly TreeNode[];
}

export interface Placed {
  id: string;
  /** Undefined without a line to a parent. */
  parent: string | undefined;
  x: number;
  y: number;
  /** Lines to the root; undefined for nodes that are not connected to it. */
  depth: number | undefined;
  /** Whether it has no children. */
  leaf: boolean;
  cluster: Cluster | undefined;
}

export interface Layout {
  nodes: Placed[];
  /** Every cluster, open or not. */
  clusters: Cluster[];
  width: number;
  height: number;
}

/** Pixels between a node and its children, and between siblings. */
export const SPACING = { x: 150, y: 58 };
const MARGIN = { x: 70, y: 40 };
/** Up to this many leaves of a kind are shown individually; more form clusters. */
const ALONE = 12;
const MEMBERS = 24;

interface Item {
  id: string;
  /** Undefined for nodes that are not connected to the root. */
  parent: string | undefined;
  connected: boolean;
  cluster?: Cluster;
  children: Item[];
}

/**
 * Places the mesh as a tidy tree (d3-hierarchy) from the root on the left to the right. The same
 * nodes always have the same positions, in any input order; nodes without a route are at the
 * bottom.
 *
 * @param opened ids of clusters whose members are shown individually
 */
export function treeLayout(
  root: string,
  given: readonly TreeNode[],
  opened: ReadonlySet<string> = new Set(),
): Layout {
  const nodes = given
    .filter(({ id }) => id !== root)
    .sort((one, other) => compareNames(one.name, other.name) || compareNames(one.id, other.id));
  const children = new Map<string, TreeNode[]>();
  for (const node of nodes) {
    if (node.parent === undefined) continue;
    const siblings = children.get(node.parent);
    if (siblings === undefined) children.set(node.parent, [node]);
    else siblings.push(node);
  }
  // Nodes in a loop are not reached.
  const reached = new Set([root]);
  const clusters: Cluster[] = [];
  const itemOf = (id: string, parent: string | undefined): Item => {
    const below = (children.get(id) ?? []).filter((child) => !reached.has(child.id));
    for (const child of below) reached.add(child.id);
    const inner = below.filter((child) => children.has(child.id));
    const leaves = below.filter((child) => !children.has(child.id));
    const branches = inner.map((child) => itemOf(child.id, id));
    return { id, parent, connected: true, children: [...branches, ...grouped(id, leaves, true)] };
  };
  const grouped = (parent: string, leaves: readonly TreeNode[], connected: boolean): Item[] => {
    const above = connected ? parent : undefined;
    const alone = ({ id }: TreeNode) => ({ id, parent: above, connected, children: [] });
    return KINDS.flatMap((kind) => {
      const alike = leaves.filter((leaf) => leaf.kind === kind);
      if (alike.length <= ALONE) return alike.map(alone);
      return inParts(alike).flatMap((members, at) => {
        const cluster = { id: `${parent} ${kind} ${at}`, kind, members };
        clusters.push(cluster);
        if (opened.has(cluster.id)) return members.map(alone);
        return [{ id: cluster.id, parent: above, connected, cluster, children: [] }];
      });
    });
  };
  const connected = itemOf(root, undefined);
  const loose = nodes.filter(({ id }) => !reached.has(id));
  const all: Item = {
    id: "",
    parent: undefined,
    connected: false,
    children: [connected, ...grouped("", loose, false)],
  };
  const laid = tree<Item>()
    .nodeSize([SPACING.y, SPACING.x])
    .separation(() => 1)(hierarchy(all));
  // The first item is not a node. In d3 a tree grows downwards.
  const placed = laid.descendants().slice(1);
  const top = Math.min(...placed.map(({ x }) => x));
  const bottom = Math.max(...placed.map(({ x }) => x));
  const deepest = Math.max(...placed.map(({ depth }) => depth)) - 1;
  return {
    nodes: placed.map(({ data, x, depth }) => ({
      id: data.id,
      parent: data.parent,
      x: MARGIN.x + (depth - 1) * SPACING.x,
      y: MARGIN.y + x - top,
      depth: data.connected ? depth - 1 : undefined,
      leaf: data.children.length === 0,
      cluster: data.cluster,
    })),
    clusters,
    width: 2 * MARGIN.x + deepest * SPACING.x + 60,
    height: 2 * MARGIN.y + bottom - top,
  };
}

/** Splits a list into as few parts as possible, of about the same size. */
function inParts(nodes: readonly TreeNode[]): TreeNode[][] {
  const parts = Math.ceil(nodes.length / MEMBERS);
  return Array.from({ length: parts }, (_, at) =>
    nodes.slice((at * nodes.length) / parts, ((at + 1) * nodes.length) / parts),
  );
}

const NAMES = new Intl.Collator("en", { numeric: true });

function compareNames(one: string, other: string): number {
  return NAMES.compare(one, other) || (one < other ? -1 : one > other ? 1 : 0);
}
