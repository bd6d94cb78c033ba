import { Table, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { MeshNode, Neighbour, Radio } from "../../gateway/model";
import { useGatewayNow } from "../../hooks/gateway";
import { Page } from "../../parts/Page";
import { count, ago } from "../../text/format";
import { useRadio } from "./radio";

/** The radio: its neighbours and the nodes of the mesh. */
export default function NetworkPage() {
  const radio = useRadio();
  return (
    <Page title="Network">
      {radio === undefined ? (
        <p>This gateway has no radio, or the page is still waiting for its answer.</p>
      ) : (
        <RadioPanel radio={radio} />
      )}
    </Page>
  );
}

function RadioPanel({ radio }: { radio: Radio }) {
  const { neighbours, nodes, channel, panId, prefix } = radio;
  const facts = [
    channel === undefined ? "" : `channel ${channel}`,
    panId === "" ? "" : `PAN ${panId}`,
    prefix,
    neighbours.length === 0 ? "no neighbours yet" : count(neighbours.length, "neighbour"),
  ];
  return (
    <section className="panel" aria-labelledby="network" data-network>
      <div className="panel-head">
        <Title order={2} size="h4" id="network">
          Radio
        </Title>
        <Text size="sm" c="dimmed">
          {facts.filter((fact) => fact !== "").join(", ")}
        </Text>
      </div>
      {neighbours.length > 0 && <Neighbours neighbours={neighbours} />}
      {nodes.length > 0 && <Nodes nodes={nodes} />}
    </section>
  );
}

function Neighbours({ neighbours }: { neighbours: Neighbour[] }) {
  const now = useGatewayNow();
  return (
    <Listing columns={["Neighbour", "Heard", "Link quality", "Received", "Sent", "Failed"]}>
      {neighbours.map(({ eui64, heardAt, lqi, received, sent, failed }) => (
        <Table.Tr key={eui64}>
          <Table.Td>
            <code>{eui64}</code>
          </Table.Td>
          <Table.Td>{heardAt === undefined ? "–" : ago(now - heardAt)}</Table.Td>
          <Table.Td>{lqi === undefined ? "–" : `${lqi} of 255`}</Table.Td>
          <Table.Td>{received ?? "–"}</Table.Td>
          <Table.Td>{sent ?? "–"}</Table.Td>
          <Table.Td>{failed ?? "–"}</Table.Td>
        </Table.Tr>
      ))}
    </Listing>
  );
}

function Nodes({ nodes }: { nodes: MeshNode[] }) {
  return (
    <Listing columns={["Node of the mesh", "Parent", "Hops"]}>
      {nodes.map(({ address, parent, hops }) => (
        <Table.Tr key={address}>
          <Table.Td>
            <code>{address}</code>
          </Table.Td>
          <Table.Td>{parent === "" ? "–" : <code>{parent}</code>}</Table.Td>
          <Table.Td>{hops ?? "–"}</Table.Td>
        </Table.Tr>
      ))}
    </Listing>
  );
}

function Listing({ columns, children }: { columns: string[]; children: ReactNode }) {
  return (
    // Focusable, because it scrolls sideways on a phone.
    <div className="listing" tabIndex={0} role="group" aria-label={columns[0]}>
      <Table verticalSpacing={7} className="numbers">
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column}>{column}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </div>
  );
}
