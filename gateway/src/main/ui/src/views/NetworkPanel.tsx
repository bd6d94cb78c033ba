import { Table, Text, Title } from "@mantine/core";
import { useEffect, useState } from "react";
import { ApiProblem } from "../watch/api";
import { readNeighbours, type Neighbour } from "../watch/model";
import { useGateway, useGatewayNow } from "./gateway";
import { count, ago } from "./words";

const EVERY = 10_000;
const EVERY_WITHOUT_RADIO = 60_000;

/** Who the gateway's radio hears; undefined as long as there is no radio. */
function useNeighbours(): Neighbour[] | undefined {
  const { api } = useGateway();
  const [neighbours, setNeighbours] = useState<Neighbour[]>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let over = false;
    const look = async () => {
      let pause = EVERY;
      try {
        if (document.visibilityState === "visible") {
          const read = readNeighbours(await api.json("api/network"));
          if (!over) setNeighbours(read);
        }
      } catch (problem) {
        if (problem instanceof ApiProblem && problem.status === 404) {
          pause = EVERY_WITHOUT_RADIO;
          if (!over) setNeighbours(undefined);
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
  return neighbours;
}

export function NetworkPanel() {
  const neighbours = useNeighbours();
  const now = useGatewayNow();
  if (neighbours === undefined) return null;
  return (
    <section className="panel" aria-labelledby="network" data-network>
      <Title order={2} size="h4" id="network">
        Radio
      </Title>
      <Text size="sm" c="dimmed">
        {neighbours.length === 0
          ? "The radio hears nobody yet."
          : `${count(neighbours.length, "neighbour")} heard by the gateway itself`}
      </Text>
      {neighbours.length > 0 && (
        <Table.ScrollContainer minWidth={420} mt="sm">
          <Table verticalSpacing={7} className="numbers">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Neighbour</Table.Th>
                <Table.Th>Signal</Table.Th>
                <Table.Th>Link quality</Table.Th>
                <Table.Th>Frames</Table.Th>
                <Table.Th>Heard</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {neighbours.map((one) => (
                <Table.Tr key={one.address}>
                  <Table.Td>
                    <code>{one.address}</code>
                    {one.name !== "" && <span className="dimmed"> {one.name}</span>}
                  </Table.Td>
                  <Table.Td>{one.rssi === undefined ? "–" : `${one.rssi} dBm`}</Table.Td>
                  <Table.Td>{one.lqi ?? "–"}</Table.Td>
                  <Table.Td>{one.frames ?? "–"}</Table.Td>
                  <Table.Td>{one.heardAt === undefined ? "–" : ago(now - one.heardAt)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </section>
  );
}
