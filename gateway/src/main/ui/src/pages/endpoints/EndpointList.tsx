import { Checkbox } from "@mantine/core";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useRef, useState } from "react";
import type { ShownEndpoint } from "../../gateway/endpointStore";
import { SortButton } from "../../parts/DataTable";
import { useMessages } from "../../shell/messages";
import { EndpointRow } from "./EndpointRow";
import type { ColumnName, Query } from "./list";
import { endpointsMessages } from "./messages";

const ROW_HEIGHT = 58;
const rowHeight = () => ROW_HEIGHT;
/** Rows beyond the edges of the window, so that scrolling shows no gaps. */
const OVERSCAN = 6;

/** The list: only the rows in sight are elements of the document. */
export function EndpointList({
  listed,
  query,
  onQuery,
  selectable,
  selected,
  onSelect,
  onSelectAll,
}: {
  listed: readonly ShownEndpoint[];
  query: Query;
  onQuery: (query: Query) => void;
  selectable: boolean;
  selected: ReadonlySet<string>;
  onSelect: (id: string, selected: boolean) => void;
  onSelectAll: (all: boolean) => void;
}) {
  const texts = useMessages(endpointsMessages);
  const body = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const offset = (body.current?.getBoundingClientRect().top ?? 0) + window.scrollY;
    if (Math.abs(offset - top) > 1) setTop(offset);
  });
  const virtualizer = useWindowVirtualizer({
    count: listed.length,
    estimateSize: rowHeight,
    getItemKey: useKeys(listed),
    overscan: OVERSCAN,
    scrollMargin: top,
  });
  const allSelected =
    selected.size > 0 && listed.every(({ endpoint }) => selected.has(endpoint.id));
  return (
    <div
      className="list"
      role="table"
      aria-label={texts.title}
      aria-rowcount={listed.length + 1}
      data-selectable={selectable || undefined}
    >
      <div role="rowgroup">
        <div className="list-head" role="row" aria-rowindex={1}>
          {selectable && (
            <span role="columnheader" className="list-select">
              <Checkbox
                size="xs"
                aria-label={texts.selectAll}
                checked={allSelected}
                indeterminate={!allSelected && selected.size > 0}
                onChange={(event) => onSelectAll(event.currentTarget.checked)}
              />
            </span>
          )}
          <Heading column="name" query={query} onQuery={onQuery} />
          <Heading column="domain" query={query} onQuery={onQuery} />
          <Heading column="state" query={query} onQuery={onQuery} />
          <Heading column="heard" query={query} onQuery={onQuery} />
          <span role="columnheader" className="list-values">
            {texts.values}
          </span>
          <Heading column="trust" query={query} onQuery={onQuery} />
        </div>
      </div>
      <div
        role="rowgroup"
        ref={body}
        className="list-body"
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ key, index, start }) => {
          const shown = listed[index];
          if (shown === undefined) return null;
          return (
            <div
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              role="presentation"
              className="list-place"
              style={{ transform: `translateY(${start - top}px)` }}
            >
              <EndpointRow
                shown={shown}
                index={index}
                selectable={selectable}
                selected={selected.has(shown.endpoint.id)}
                onSelect={onSelect}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Keys of the rows; the same function while the rows are the same, because it costs all of them. */
function useKeys(listed: readonly ShownEndpoint[]): (index: number) => string | number {
  const known = useRef<{ ids: readonly string[]; keyOf: (index: number) => string | number }>(
    undefined,
  );
  const present = known.current;
  if (
    present === undefined ||
    present.ids.length !== listed.length ||
    listed.some(({ endpoint }, at) => endpoint.id !== present.ids[at])
  ) {
    const ids = listed.map(({ endpoint }) => endpoint.id);
    const made = { ids, keyOf: (index: number) => ids[index] ?? index };
    known.current = made;
    return made.keyOf;
  }
  return present.keyOf;
}

function Heading({
  column,
  query,
  onQuery,
}: {
  column: ColumnName;
  query: Query;
  onQuery: (query: Query) => void;
}) {
  const texts = useMessages(endpointsMessages);
  const here = query.column === column;
  const direction = !here ? "none" : query.descending ? "descending" : "ascending";
  return (
    <span role="columnheader" aria-sort={direction} className={`list-${column}`}>
      <SortButton
        title={texts.columns[column]}
        direction={direction}
        onClick={() => onQuery({ ...query, column, descending: here && !query.descending })}
      />
    </span>
  );
}
