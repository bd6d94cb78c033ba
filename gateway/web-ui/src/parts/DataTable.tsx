import { Table, Text, UnstyledButton } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { useMessages } from "../hooks/messages";
import { partsMessages } from "./messages";
import { sorted, type SortValue } from "./sorting";

export interface Column<Row> {
  key: string;
  title: string;
  cell: (row: Row) => ReactNode;
  /** Makes the column sortable. */
  sort?: (row: Row) => SortValue;
  /** Numbers stand right. */
  number?: boolean;
}

export interface Order {
  column: string;
  descending: boolean;
}

/** A table that sorts by a click on a heading. For some hundred rows: it is not virtualised. */
export function DataTable<Row>({
  label,
  columns,
  rows,
  keyOf,
  order: first,
  empty,
}: {
  /** Names the table for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  order?: Order;
  empty?: ReactNode;
}) {
  const texts = useMessages(partsMessages);
  const [order, setOrder] = useState(first);
  const by = columns.find(({ key }) => key === order?.column)?.sort;
  const listed = by === undefined ? rows : sorted(rows, by, order?.descending === true);
  return (
    // Focusable, because it scrolls sideways on a phone.
    <div className="listing" tabIndex={0} role="group" aria-label={label}>
      <Table verticalSpacing={7} className="numbers">
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Heading key={column.key} column={column} order={order} onOrder={setOrder} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {listed.map((row) => (
            <Table.Tr key={keyOf(row)} data-row={keyOf(row)}>
              {columns.map(({ key, title, cell, number }) => (
                // The label stands beside the cell where the headings are hidden.
                <Table.Td key={key} data-label={title} data-number={number === true || undefined}>
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {rows.length === 0 && (
        <Text c="dimmed" size="sm" p="sm">
          {empty ?? texts.empty}
        </Text>
      )}
    </div>
  );
}

function Heading<Row>({
  column: { key, title, sort, number },
  order,
  onOrder,
}: {
  column: Column<Row>;
  order: Order | undefined;
  onOrder: (order: Order) => void;
}) {
  if (sort === undefined) {
    return <Table.Th data-number={number === true || undefined}>{title}</Table.Th>;
  }
  const here = order?.column === key ? order : undefined;
  const direction = here === undefined ? "none" : here.descending ? "descending" : "ascending";
  return (
    <Table.Th aria-sort={direction} data-number={number === true || undefined}>
      <SortButton
        title={title}
        direction={direction}
        onClick={() => onOrder({ column: key, descending: here?.descending === false })}
      />
    </Table.Th>
  );
}

/** The button in a heading. The cell around it carries `aria-sort`. */
export function SortButton({
  title,
  direction,
  onClick,
}: {
  title: string;
  direction: "none" | "ascending" | "descending";
  onClick: () => void;
}) {
  return (
    <UnstyledButton className="sort" data-direction={direction} onClick={onClick}>
      {title}
      <span aria-hidden className="sort-mark">
        {direction === "descending" ? "▼" : "▲"}
      </span>
    </UnstyledButton>
  );
}
