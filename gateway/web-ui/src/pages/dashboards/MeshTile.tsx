import { memo, useMemo } from "react";
import { useMessages } from "../../hooks/messages";
import { treeLayout, type Kind, type TreeNode } from "../../parts/meshLayout";
import type { MeshNode } from "./api";
import { messages } from "./messages";

/** As on the page of the network: three times the longest default between two wake-ups. */
const SILENT_SECONDS = 15 * 60;
const POOR_ETX = 3;
const RADIUS = 12;
const LETTERS = 14;

/** The mesh as a tree that fits into its tile; many motes without children are one element. */
export const MeshTile = memo(function MeshTile({ nodes }: { nodes: readonly MeshNode[] }) {
  const texts = useMessages(messages);
  const layout = useMemo(() => treeLayout("0", nodes.slice(1).map(treeNode)), [nodes]);
  const places = new Map(layout.nodes.map((place) => [place.id, place]));
  return (
    <svg
      className="tile-mesh"
      viewBox={`0 0 ${layout.width} ${layout.height}`}
      role="img"
      aria-label={texts.meshPicture(nodes.length - 1)}
      data-motes={nodes.length - 1}
    >
      {layout.nodes.map(({ id, parent, x, y }) => {
        const above = parent === undefined ? undefined : places.get(parent);
        return (
          above !== undefined && (
            <path
              key={id}
              className="tile-mesh-edge"
              d={`M${above.x} ${above.y}C${(above.x + x) / 2} ${above.y} ${(above.x + x) / 2} ${y} ${x} ${y}`}
            />
          )
        );
      })}
      {layout.nodes.map(({ id, x, y, leaf, cluster }) => {
        const node = nodes[Number(id)];
        const name =
          cluster !== undefined
            ? texts.moreMotes(cluster.members.length)
            : id === "0"
              ? texts.gateway
              : captionOf(node?.name ?? "");
        return (
          <g
            key={id}
            transform={`translate(${x} ${y})`}
            data-kind={cluster?.kind ?? (node === undefined || id === "0" ? "root" : kindOf(node))}
          >
            <circle r={cluster === undefined ? RADIUS : RADIUS + 4} />
            {/* Beside a leaf, and above a node from which lines go to the right. */}
            <text
              x={leaf ? RADIUS + 6 : 0}
              y={leaf ? 0 : -RADIUS - 8}
              dy={leaf ? "0.35em" : undefined}
              data-above={leaf ? undefined : true}
            >
              {name}
            </text>
          </g>
        );
      })}
    </svg>
  );
});

function treeNode(node: MeshNode, at: number): TreeNode {
  return {
    id: String(at + 1),
    parent: node.parent === undefined ? undefined : String(node.parent),
    kind: kindOf(node),
    name: node.name ?? "",
  };
}

function kindOf({ parent, silentSeconds, hops, etx }: MeshNode): Kind {
  if (parent === undefined) return "no-route";
  if ((silentSeconds ?? 0) > SILENT_SECONDS) return "silent";
  return (hops === undefined || hops === 1) && (etx ?? 0) > POOR_ETX ? "poor" : "fine";
}

function captionOf(name: string): string {
  const letters = [...name];
  return letters.length <= LETTERS ? name : `${letters.slice(0, LETTERS - 1).join("")}…`;
}
