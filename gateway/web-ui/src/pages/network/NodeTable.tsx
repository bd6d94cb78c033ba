import { Button, Title } from "@mantine/core";
import { nameKey } from "../../gateway/names";
import { useGatewayNow } from "../../hooks/gateway";
import { DataTable, type Column } from "../../parts/DataTable";
import { useMessages } from "../../hooks/messages";
import { ago } from "../../text/format";
import { interfaceId, shortName } from "./addresses";
import { EndpointName } from "./EndpointName";
import { etxText, heardBefore, levelName, nameOf, type GraphNode } from "./graph";
import { networkMessages } from "./messages";

/** The nodes of the picture as a table. */
export function NodeTable({
  nodes,
  onSelect,
}: {
  nodes: readonly GraphNode[];
  onSelect: (id: string) => void;
}) {
  const texts = useMessages(networkMessages);
  const now = useGatewayNow();
  const heard = ({ mesh, neighbour }: GraphNode) => heardBefore(mesh, neighbour, now);
  const columns: Column<GraphNode>[] = [
    {
      key: "node",
      title: texts.node,
      cell: ({ id }) => (
        <Button size="compact-xs" variant="subtle" onClick={() => onSelect(id)}>
          <code>{shortName(id)}</code>
        </Button>
      ),
      sort: ({ id }) => id,
    },
    {
      key: "endpoint",
      title: texts.endpoint,
      cell: (node) => <EndpointName node={node} />,
      sort: (node) => nameKey(nameOf(node)),
    },
    {
      key: "state",
      title: texts.reachability,
      cell: ({ reach }) => texts.reach[reach],
      sort: ({ reach }) => reach,
    },
    {
      key: "parent",
      title: texts.parent,
      cell: ({ mesh }) =>
        mesh?.parent === undefined ? "–" : <code>{shortName(interfaceId(mesh.parent))}</code>,
      sort: ({ mesh }) => mesh?.parent,
    },
    {
      key: "hops",
      title: texts.hops,
      cell: ({ mesh }) => mesh?.hops ?? "–",
      sort: ({ mesh }) => mesh?.hops,
      number: true,
    },
    {
      key: "rank",
      title: texts.rank,
      cell: ({ mesh }) => mesh?.rank ?? "–",
      sort: ({ mesh }) => mesh?.rank,
      number: true,
    },
    {
      key: "lqi",
      title: texts.lqi,
      cell: ({ neighbour }) => (neighbour?.lqi === undefined ? "–" : texts.of255(neighbour.lqi)),
      sort: ({ neighbour }) => neighbour?.lqi,
      number: true,
    },
    {
      key: "etx",
      title: texts.etx,
      cell: ({ neighbour }) => etxText(neighbour),
      sort: ({ neighbour }) => neighbour?.etx,
      number: true,
    },
    {
      key: "security",
      title: texts.security,
      cell: ({ neighbour }) =>
        neighbour === undefined
          ? "–"
          : neighbour.level === 0
            ? texts.unsecured
            : levelName(neighbour.level),
      sort: ({ neighbour }) => neighbour?.level,
    },
    {
      key: "heard",
      title: texts.heard,
      cell: (node) => {
        const before = heard(node);
        return before === undefined ? "–" : ago(before);
      },
      sort: heard,
      number: true,
    },
  ];
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        {texts.nodes}
      </Title>
      <DataTable
        label={texts.nodes}
        columns={columns}
        rows={nodes}
        keyOf={({ id }) => id}
        order={{ column: "node", descending: false }}
        empty={texts.nobody}
      />
    </section>
  );
}
