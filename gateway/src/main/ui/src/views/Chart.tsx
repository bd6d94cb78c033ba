import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef } from "react";
import uPlot from "uplot";
import type { Series } from "../watch/board";
import { BYTES, thousands, timeOfDay } from "./words";

function colour(element: Element, name: string): string {
  return getComputedStyle(element).getPropertyValue(name).trim();
}

/** Draws a uPlot into a box, and again when the box, the data or the colour scheme changes. */
function useChart(
  series: Series,
  options: (box: HTMLElement) => Omit<uPlot.Options, "width" | "height">,
) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const scheme = useComputedColorScheme("light");
  const latest = useRef(series);
  latest.current = series;

  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const size = () => ({ width: element.clientWidth, height: element.clientHeight });
    const drawn = new uPlot({ ...size(), ...options(element) }, data(latest.current), element);
    plot.current = drawn;
    const watch = new ResizeObserver(() => drawn.setSize(size()));
    watch.observe(element);
    return () => {
      watch.disconnect();
      drawn.destroy();
    };
    // The options depend on nothing but the colours.
    // eslint-disable-next-line
  }, [scheme]);

  useEffect(() => plot.current?.setData(data(series)), [series]);
  return box;
}

function data([times, values]: Series): uPlot.AlignedData {
  return [[...times], [...values]];
}

/** Some air above and below, also when all values are the same. */
function padded(_: uPlot, low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1];
  const air = (high - low) * 0.12 || Math.abs(high) * 0.05 || 0.5;
  return [low - air, high + air];
}

/** The recent course of a value, as wide as a word. */
export function Sparkline({ series }: { series: Series }) {
  const box = useChart(series, (element) => ({
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

const TICK = new Intl.NumberFormat("en", { maximumFractionDigits: 6, useGrouping: false });

/** Room for the longest label, in pixels. */
function widthOf(_: uPlot, labels: string[] | null): number {
  return 24 + 7 * Math.max(3, ...(labels ?? []).map((label) => label.length));
}

/** The same with axes, for the drawer. */
export function Chart({ series, unit, label }: { series: Series; unit: string; label: string }) {
  const box = useChart(series, (element) => {
    const inUnits: uPlot.Axis.DynamicValues = (_, splits) => {
      const largest = Math.max(...splits.map(Math.abs));
      const power = thousands(largest, unit);
      const scaled = power === 0 ? "" : ` ${BYTES[power] ?? unit}`;
      return splits.map((split) => TICK.format(split / 1000 ** power) + scaled);
    };
    const axis: uPlot.Axis = {
      stroke: colour(element, "--chart-text"),
      font: "12px system-ui, sans-serif",
      grid: { stroke: colour(element, "--chart-grid"), width: 1 },
      ticks: { show: false },
    };
    return {
      legend: { show: false },
      cursor: { y: false, points: { size: 7 } },
      padding: [8, 8, 0, 0],
      axes: [
        {
          ...axis,
          size: 28,
          space: 90,
          values: (_, splits) => splits.map((seconds) => timeOfDay(seconds * 1000)),
        },
        { ...axis, size: widthOf, values: inUnits },
      ],
      scales: { y: { range: padded } },
      series: [
        {},
        {
          stroke: colour(element, "--chart-line"),
          fill: colour(element, "--chart-fill"),
          width: 2,
          points: { size: 5 },
        },
      ],
    };
  });
  return <div ref={box} className="chart" role="img" aria-label={label} />;
}
