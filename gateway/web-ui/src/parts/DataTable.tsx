import { Text, UnstyledButton } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef, useState, type ReactNode, type RefObject } from "react";
import { useMessages } from "../hooks/messages";
import { partsMessages } from "./messages";
import { sorted, type SortValue } from "./sorting";

export interface Column<Row> {
  key: string;
  title: string;
  cell: (row: Row) => ReactNode;
  /** Makes the column sortable. */
  sort?: (row: Row) => SortValue;
  /** Whether the column is aligned right, for numbers. */
  number?: boolean;
  /** The width in a long table, whose columns do not follow their content; the others share the rest. */
  width?: string;
}

export interface Order {
  column: string;
  descending: boolean;
}

/** More rows than this scroll in a frame that renders only visible rows. */
const VIRTUAL = 60;
/** The height of a row that was not rendered yet. */
const ROW_HEIGHT = 38;

/** A table that a click on a heading sorts. */
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
  const frame = useRef<HTMLDivElement>(null);
  const virtual = listed.length > VIRTUAL;
  const { above, inSight, below, measure } = useRowsInSight(frame, listed, virtual);
  return (
    // Focusable, because it scrolls sideways on a phone.
    <div
      ref={frame}
      className="listing"
      tabIndex={0}
      role="group"
      aria-label={label}
      data-virtual={virtual || undefined}
    >
      {/* Plain elements, because each change renders hundreds of cells again. */}
      <table className="table numbers" aria-rowcount={virtual ? listed.length + 1 : undefined}>
        {virtual && (
          <colgroup>
            {columns.map(({ key, width }) => (
              <col key={key} style={{ width }} />
            ))}
          </colgroup>
        )}
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.key} column={column} order={order} onOrder={setOrder} />
            ))}
          </tr>
        </thead>
        <tbody>
          {above > 0 && <Gap height={above} />}
          {inSight.map(({ row, index }) => (
            <tr
              key={keyOf(row)}
              ref={measure}
              data-index={index}
              data-row={keyOf(row)}
              aria-rowindex={virtual ? index + 2 : undefined}
            >
              {columns.map(({ key, title, cell, number }) => (
                // The label is next to the cell if the headings are hidden.
                <td key={key} data-label={title} data-number={number === true || undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
          {below > 0 && <Gap height={below} />}
        </tbody>
      </table>
      {rows.length === 0 && (
        <Text c="dimmed" size="sm" p="sm">
          {empty ?? texts.empty}
        </Text>
      )}
    </div>
  );
}

/** The rows to render, the height before and after them, and a callback that measures a row. */
function useRowsInSight<Row>(
  frame: RefObject<HTMLDivElement | null>,
  rows: readonly Row[],
  virtual: boolean,
): {
  above: number;
  inSight: { row: Row; index: number }[];
  below: number;
  measure?: (row: HTMLTableRowElement | null) => void;
} {
  const virtualizer = useVirtualizer({
    count: rows.length,
    enabled: virtual,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  });
  if (!virtual) return { above: 0, inSight: rows.map((row, index) => ({ row, index })), below: 0 };
  const items = virtualizer.getVirtualItems();
  const inSight = items.flatMap(({ index }) => {
    const row = rows[index];
    return row === undefined ? [] : [{ row, index }];
  });
  return {
    above: items[0]?.start ?? 0,
    inSight,
    measure: virtualizer.measureElement,
    below: virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0),
  };
}

/** Stands for rows that are not rendered. */
function Gap({ height }: { height: number }) {
  return (
    <tr aria-hidden>
      <td style={{ height, padding: 0 }} />
    </tr>
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
    return <th data-number={number === true || undefined}>{title}</th>;
  }
  const here = order?.column === key ? order : undefined;
  const direction = here === undefined ? "none" : here.descending ? "descending" : "ascending";
  return (
    <th aria-sort={direction} data-number={number === true || undefined}>
      <SortButton
        title={title}
        direction={direction}
        onClick={() => onOrder({ column: key, descending: here?.descending === false })}
      />
    </th>
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
