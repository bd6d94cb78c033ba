import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useMemo, useRef } from "react";
import uPlot from "uplot";
import type { Series } from "../gateway/verification";
import { BYTES, day, decimal, thousands, timeOfDay } from "../text/format";

export function colour(element: Element, name: string): string {
  return getComputedStyle(element).getPropertyValue(name).trim();
}

/** Draws a uPlot into an element; redraws when its size, the data or the colour scheme changes. */
export function useChart(
  data: uPlot.AlignedData,
  options: (box: HTMLElement) => Omit<uPlot.Options, "width" | "height">,
) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const scheme = useComputedColorScheme("light");
  const latest = useRef(data);
  latest.current = data;

  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const size = () => ({ width: element.clientWidth, height: element.clientHeight });
    const drawn = new uPlot({ ...size(), ...options(element) }, latest.current, element);
    plot.current = drawn;
    const watch = new ResizeObserver(() => drawn.setSize(size()));
    watch.observe(element);
    return () => {
      watch.disconnect();
      drawn.destroy();
    };
    // The options depend on the colours only, not on their function's identity.
  }, [scheme]);

  useEffect(() => plot.current?.setData(data), [data]);
  return box;
}

/** An axis in the colours of the page. */
export function axisIn(element: Element): uPlot.Axis {
  return {
    stroke: colour(element, "--chart-text"),
    font: "12px system-ui, sans-serif",
    grid: { stroke: colour(element, "--chart-grid"), width: 1 },
    ticks: { show: false },
  };
}

const DAY = 86_400;

/** Labels of a time axis: dates if it spans days. */
export function timeLabels(plot: uPlot, splits: number[]): string[] {
  const { min, max } = plot.scales["x"] ?? {};
  const days = (max ?? 0) - (min ?? 0) > 2 * DAY;
  return splits.map((at) => (days ? day(at * 1000) : timeOfDay(at * 1000)));
}

function aligned([times, values]: Series): uPlot.AlignedData {
  return [[...times], [...values]];
}

/** Adds space above and below the values, also when they are all equal. */
export function padded(_: uPlot, low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1];
  const padding = (high - low) * 0.12 || Math.abs(high) * 0.05 || 0.5;
  return [low - padding, high + padding];
}

/** The recent values as a small line chart in a row. */
export function Sparkline({ series }: { series: Series }) {
  const data = useMemo(() => aligned(series), [series]);
  const box = useChart(data, (element) => ({
    cursor: { show: false },
    legend: { show: false },
    padding: [3, 3, 3, 3],
    axes: [{ show: false }, { show: false }],
    scales: { x: { time: false }, y: { range: padded } },
    series: [
      {},
      {
        stroke: colour(element, "--chart-line"),
        fill: colour(element, "--chart-fill"),
        width: 1.5,
        points: { size: 5, show: (plot) => plot.data[0].length < 2 },
      },
    ],
  }));
  return <div ref={box} className="sparkline" aria-hidden />;
}

/** Labels of an axis of plain numbers; a logarithmic axis has splits without a label. */
export function numberLabels(_: uPlot, splits: (number | null)[]): string[] {
  const digits = { maximumFractionDigits: 6, useGrouping: false };
  return splits.map((split) => (split === null ? "" : decimal(split, digits)));
}

/** Labels of a value axis, in multiples of the unit. */
export function axisValues(unit: string): uPlot.Axis.DynamicValues {
  return (plot, splits) => {
    const largest = Math.max(...splits.map(Math.abs));
    const power = thousands(largest, unit);
    const scaled = power === 0 ? "" : ` ${BYTES[power] ?? unit}`;
    const labels = numberLabels(
      plot,
      splits.map((split) => split / 1000 ** power),
    );
    return labels.map((label) => label + scaled);
  };
}

/** Width of the longest label in pixels. */
export function axisWidth(_: uPlot, labels: string[] | null): number {
  return 24 + 7 * Math.max(3, ...(labels ?? []).map((label) => label.length));
}
