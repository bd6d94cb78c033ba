import { Table, Text, Title } from "@mantine/core";
import { useEffect, useState, type ReactNode } from "react";
import { ApiProblem } from "../watch/api";
import { readRadio, type MeshNode, type Neighbour, type Radio } from "../watch/model";
import { useGateway, useGatewayNow } from "./gateway";
import { count, ago } from "./words";

const EVERY = 5_000;
const EVERY_WITHOUT_RADIO = 60_000;

/** The gateway's radio; undefined as long as there is none. */
function useRadio(): Radio | undefined {
  const { api } = useGateway();
  const [radio, setRadio] = useState<Radio>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let over = false;
    const look = async () => {
      let pause = EVERY;
      try {
        if (document.visibilityState === "visible") {
          const read = readRadio(await api.json("api/network"));
          if (!over) setRadio(read);
        }
      } catch (problem) {
        if (problem instanceof ApiProblem && problem.status === 404) {
          pause = EVERY_WITHOUT_RADIO;
          if (!over) setRadio(undefined);
        }
      }
      if (!over) timer = setTimeout(() => void look(), pause);
    };
    void look();
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [api]);
  return radio;
}

export function NetworkPanel() {
  const radio = useRadio();
  if (radio === undefined) return null;
  const { neighbours, nodes, channel, panId, prefix } = radio;
  const facts = [
    channel === undefined ? "" : `channel ${channel}`,
    panId === "" ? "" : `PAN ${panId}`,
    prefix,
    neighbours.length === 0 ? "nobody heard yet" : `${count(neighbours.length, "neighbour")} heard`,
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
    // It scrolls sideways on a phone, and so it must be reachable by keyboard.
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
