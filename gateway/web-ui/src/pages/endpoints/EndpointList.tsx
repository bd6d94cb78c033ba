import { Checkbox } from "@mantine/core";
import { useWindowVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { memo, useCallback, useDeferredValue, useRef, useState, type ComponentProps } from "react";
import type { ShownEndpoint } from "../../gateway/endpointStore";
import { SortButton } from "../../parts/DataTable";
import { useMessages } from "../../hooks/messages";
import { EndpointRow } from "./EndpointRow";
import type { ColumnName, Query } from "./list";
import { endpointsMessages } from "./messages";

const ROW_HEIGHT = 58;
const rowHeight = () => ROW_HEIGHT;
/** Extra rows beyond the window, so that scrolling shows no gaps. */
const OVERSCAN = 3;

/** The list: only visible rows are elements of the document. */
export const EndpointList = memo(function EndpointList({
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
  const [body, top] = useTop();
  const virtualizer = useWindowVirtualizer({
    count: listed.length,
    estimateSize: rowHeight,
    getItemKey: useKeys(listed),
    overscan: OVERSCAN,
    scrollMargin: top,
    measureElement: measured,
    // Rendering inside a scroll event would be part of the same task.
    useFlushSync: false,
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
          <span role="columnheader" className="list-trend">
            {texts.lastDay}
          </span>
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
        {virtualizer.getVirtualItems().map(({ key, index, start, size }) => {
          const shown = listed[index];
          if (shown === undefined) return null;
          return (
            <Place
              key={key}
              start={start - top}
              size={size}
              measure={virtualizer.measureElement}
              shown={shown}
              index={index}
              selectable={selectable}
              selected={selected.has(shown.endpoint.id)}
              onSelect={onSelect}
            />
          );
        })}
      </div>
    </div>
  );
});

/** A row at its position. Until the row is complete, it has its last known height. */
const Place = memo(function Place({
  start,
  size,
  measure,
  index,
  ...row
}: {
  start: number;
  size: number;
  measure: (place: Element | null) => void;
} & Omit<ComponentProps<typeof EndpointRow>, "complete">) {
  const complete = useDeferredValue(true, false);
  return (
    <div
      ref={measure}
      data-index={index}
      role="presentation"
      className="list-place"
      style={{ transform: `translateY(${start}px)`, minHeight: complete ? undefined : size }}
    >
      <EndpointRow {...row} index={index} complete={complete} />
    </div>
  );
});

/** The height that the ResizeObserver reports; reading it from the row would force a layout. */
function measured(
  place: Element,
  entry: ResizeObserverEntry | undefined,
  { measurementsCache, indexFromElement }: Virtualizer<Window, Element>,
): number {
  const height = entry?.borderBoxSize[0]?.blockSize;
  if (height !== undefined) return Math.round(height);
  return measurementsCache[indexFromElement(place)]?.size ?? ROW_HEIGHT;
}

/** Distance of the element with the returned reference from the top of the page, in pixels. */
function useTop(): [(element: HTMLDivElement | null) => (() => void) | undefined, number] {
  const [top, setTop] = useState(0);
  const observe = useCallback((element: HTMLDivElement | null) => {
    const page = element?.closest(".page");
    if (!element || !page) return undefined;
    // Runs after the layout, because anything that moves the list also changes the height of the
    // page.
    const observer = new ResizeObserver(() => {
      const offset = element.getBoundingClientRect().top + window.scrollY;
      setTop((before) => (Math.abs(offset - before) > 1 ? offset : before));
    });
    observer.observe(page);
    return () => observer.disconnect();
  }, []);
  return [observe, top];
}

/**
 * Keys of the rows; the function stays the same while the rows do, because a new one affects all
 * rows.
 */
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
