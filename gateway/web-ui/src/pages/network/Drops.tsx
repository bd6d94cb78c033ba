import { Text, Title } from "@mantine/core";
import { useState } from "react";
import { DataTable, type Column } from "../../parts/DataTable";
import { useMessages } from "../../hooks/messages";
import { grouped } from "../../text/format";
import { dropMessages } from "./dropMessages";
import { networkMessages } from "./messages";

interface Row {
  reason: string;
  count: number;
  /** Since the page was opened. */
  recent: number;
}

/** Dropped frames and packets by reason. */
export function Drops({ drops }: { drops: Record<string, number> }) {
  const texts = useMessages(networkMessages);
  const meanings: Readonly<Record<string, string>> = useMessages(dropMessages);
  const [atFirst] = useState(drops);
  const rows = Object.entries(drops).map(([reason, count]): Row => ({
    reason,
    count,
    recent: count - (atFirst[reason] ?? 0),
  }));
  const columns: Column<Row>[] = [
    {
      key: "reason",
      title: texts.reason,
      cell: ({ reason }) => <code>{reason}</code>,
      sort: ({ reason }) => reason,
    },
    {
      key: "count",
      title: texts.count,
      cell: ({ count }) => grouped(count),
      sort: ({ count }) => count,
      number: true,
    },
    {
      key: "recent",
      title: texts.recent,
      cell: ({ recent }) => (recent > 0 ? `+${grouped(recent)}` : "–"),
      sort: ({ recent }) => recent,
      number: true,
    },
    {
      key: "meaning",
      title: texts.meaning,
      cell: ({ reason }) => <span className="meaning">{meanings[reason] ?? texts.malformed}</span>,
    },
  ];
  return (
    <section data-drops>
      <Title order={2} size="h4">
        {texts.dropsTitle}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {texts.dropsWhat}
      </Text>
      <DataTable
        label={texts.dropsTitle}
        columns={columns}
        rows={rows}
        keyOf={({ reason }) => reason}
        order={{ column: "count", descending: true }}
        empty={texts.noDrops}
      />
    </section>
  );
}
