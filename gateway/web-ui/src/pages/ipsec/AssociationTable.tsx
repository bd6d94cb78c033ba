import { DataTable, type Column } from "../../parts/DataTable";
import { useMessages } from "../../hooks/messages";
import { bytes, grouped } from "../../text/format";
import { peerOf, type Association } from "./api";
import { ipsecMessages } from "./messages";

/** One row for each association, in the order of the file until another is chosen. */
export function AssociationTable({ associations }: { associations: readonly Association[] }) {
  const texts = useMessages(ipsecMessages);
  const count = (
    key:
      | "packets"
      | "octets"
      | "octetsSaved"
      | "icvFailures"
      | "replays"
      | "policyDrops"
      | "otherDrops",
    title: string,
  ): Column<Association> => ({
    key,
    title,
    cell: (one) => (key.startsWith("octets") ? bytes(one[key]) : grouped(one[key])),
    sort: (one) => one[key],
    number: true,
  });
  const columns: Column<Association>[] = [
    {
      key: "line",
      title: texts.line,
      cell: ({ line }) => line,
      sort: ({ line }) => line,
      number: true,
    },
    {
      key: "direction",
      title: texts.direction,
      cell: ({ direction }) =>
        direction === "in" || direction === "out" ? texts.directions[direction] : direction,
      sort: ({ direction }) => direction,
    },
    {
      key: "peer",
      title: texts.peer,
      cell: (one) => <code title={`${one.source} → ${one.destination}`}>{peerOf(one)}</code>,
      sort: peerOf,
    },
    {
      key: "protection",
      title: texts.protection,
      cell: ({ protocol, profile }) => `${protocol.toUpperCase()} ${profile}`,
      sort: ({ protocol, profile }) => `${protocol} ${profile}`,
    },
    { key: "spi", title: texts.spi, cell: ({ spi }) => <code>{spi}</code>, sort: ({ spi }) => spi },
    {
      key: "state",
      title: texts.state,
      cell: ({ state }) => (
        <span className="association-state" data-state={state}>
          {state ?? "?"}
        </span>
      ),
      sort: ({ state }) => state,
    },
    count("packets", texts.packets),
    count("octets", texts.octets),
    count("octetsSaved", texts.saved),
    count("icvFailures", texts.icv),
    count("replays", texts.replays),
    count("policyDrops", texts.policy),
    count("otherDrops", texts.other),
  ];
  return (
    <DataTable
      label={texts.list}
      columns={columns}
      rows={associations}
      keyOf={({ line }) => String(line)}
      order={{ column: "line", descending: false }}
    />
  );
}
