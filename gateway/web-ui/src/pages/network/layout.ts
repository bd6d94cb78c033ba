/** A node of the picture and the node above it. */
export interface TreeNode {
  id: string;
  /** Undefined for the root, and for nodes whose parent is not known. */
  parent: string | undefined;
}

export interface Placed {
  id: string;
  /** Undefined without a line to a parent. */
  parent: string | undefined;
  x: number;
  y: number;
  /** Lines to the root; undefined for nodes that are not connected to it. */
  depth: number | undefined;
}

export interface Layout {
  nodes: Placed[];
  width: number;
  height: number;
}

/** Pixels between the middles of neighbouring nodes. */
export const SPACING = { x: 84, y: 104 };
/** Leaves of one parent that stand side by side; more form further rows. */
const ROW = 6;

interface Branch {
  /** Columns that the branch and everything below it take. */
  columns: number;
  /** Leaves, which form a block, and children with children of their own. */
  leaves: string[];
  inner: string[];
  blockColumns: number;
  blockRows: number;
}

/**
 * Places parents above their children, each over the middle of them. The same nodes have the same
 * places whatever the order in which they come; nodes that are not connected stand in rows below.
 */
export function layered(root: string, given: readonly TreeNode[]): Layout {
  const nodes = given
    .filter(({ id }) => id !== root)
    .sort((one, other) => compareNames(one.id, other.id));
  const children = childrenOf(nodes);
  const depths = depthsFrom(root, children);
  const branches = new Map<string, Branch>();
  measure(root, children, branches);
  const rowsOfDepth = rowsByDepth(depths, branches);
  const tops = [0];
  for (let depth = 1; depth <= rowsOfDepth.length; depth++) {
    tops[depth] = (tops[depth - 1] ?? 0) + (rowsOfDepth[depth - 1] ?? 1);
  }
  const placed = new Map<string, Placed>();
  place(root, undefined, 0);
  const loose = nodes.filter(({ id }) => !depths.has(id));
  const connectedColumns = branches.get(root)?.columns ?? 1;
  const columns = Math.max(connectedColumns, Math.min(loose.length, ROW));
  const below = tops[rowsOfDepth.length] ?? 1;
  loose.forEach(({ id }, at) => {
    put(id, undefined, at % columns, below + Math.floor(at / columns), undefined);
  });
  const rows = below + Math.ceil(loose.length / columns);
  return {
    nodes: [...placed.values()],
    width: columns * SPACING.x,
    height: rows * SPACING.y,
  };

  function place(id: string, parent: string | undefined, left: number): void {
    const branch = branches.get(id);
    const depth = depths.get(id) ?? 0;
    if (branch === undefined) return;
    put(id, parent, left + (branch.columns - 1) / 2, tops[depth] ?? 0, depth);
    const taken = branch.blockColumns + sum(branch.inner.map(columnsOf));
    let column = left + (branch.columns - taken) / 2;
    branch.leaves.forEach((leaf, at) => {
      const row = (tops[depth + 1] ?? 0) + Math.floor(at / branch.blockColumns);
      const inRow = Math.min(
        branch.blockColumns,
        branch.leaves.length - Math.floor(at / branch.blockColumns) * branch.blockColumns,
      );
      const shift = (branch.blockColumns - inRow) / 2;
      put(leaf, id, column + shift + (at % branch.blockColumns), row, depth + 1);
    });
    column += branch.blockColumns;
    for (const child of branch.inner) {
      place(child, id, column);
      column += columnsOf(child);
    }
  }

  function put(
    id: string,
    parent: string | undefined,
    column: number,
    row: number,
    depth: number | undefined,
  ): void {
    const x = (column + 0.5) * SPACING.x;
    placed.set(id, { id, parent, x, y: (row + 0.5) * SPACING.y, depth });
  }

  function columnsOf(id: string): number {
    return branches.get(id)?.columns ?? 1;
  }
}

function childrenOf(nodes: readonly TreeNode[]): Map<string, string[]> {
  const children = new Map<string, string[]>();
  for (const { id, parent } of nodes) {
    if (parent === undefined) continue;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [id]);
    else siblings.push(id);
  }
  return children;
}

/** Nodes in a loop are not reached, and so have no depth. */
function depthsFrom(root: string, children: ReadonlyMap<string, string[]>): Map<string, number> {
  const depths = new Map([[root, 0]]);
  for (const [id, depth] of depths) {
    for (const child of children.get(id) ?? []) {
      if (!depths.has(child)) depths.set(child, depth + 1);
    }
  }
  return depths;
}

function measure(
  id: string,
  children: ReadonlyMap<string, string[]>,
  branches: Map<string, Branch>,
): number {
  const below = children.get(id) ?? [];
  const leaves = below.filter((child) => !children.has(child));
  const inner = below.filter((child) => children.has(child));
  // Half as many rows as columns, because rows stand further apart than columns.
  const blockColumns =
    leaves.length <= ROW ? leaves.length : Math.max(ROW, Math.ceil(Math.sqrt(leaves.length * 2)));
  const blockRows = blockColumns === 0 ? 0 : Math.ceil(leaves.length / blockColumns);
  const columns = Math.max(
    1,
    blockColumns + sum(inner.map((child) => measure(child, children, branches))),
  );
  branches.set(id, { columns, leaves, inner, blockColumns, blockRows });
  return columns;
}

/** How many rows each depth needs: as many as the highest block of leaves on it. */
function rowsByDepth(
  depths: ReadonlyMap<string, number>,
  branches: ReadonlyMap<string, Branch>,
): number[] {
  const rows: number[] = [];
  for (const [id, depth] of depths) {
    rows[depth] = Math.max(rows[depth] ?? 1, 1);
    const block = branches.get(id)?.blockRows ?? 0;
    if (block > 0) rows[depth + 1] = Math.max(rows[depth + 1] ?? 1, block);
  }
  return rows;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

const NAMES = new Intl.Collator("en", { numeric: true });

function compareNames(one: string, other: string): number {
  return NAMES.compare(one, other) || (one < other ? -1 : one > other ? 1 : 0);
}
