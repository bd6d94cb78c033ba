import { useMemo, useState } from "react";
import type uPlot from "uplot";
import { axisValues, axisWidth, colour, padded, useChart } from "../../parts/Chart";
import { useMessages } from "../../shell/messages";
import { atAGlance, moment, timeOfDay } from "../../text/format";
import { chartData } from "./chartData";
import type { PastSeries, Span } from "./historyApi";
import { endpointMessages } from "./messages";

const DAY = 86_400;

/** The course of one measured name: the mean as a line, least to greatest as a band. */
export function HistoryChart({
  series,
  seconds,
  wakeSeconds,
  onZoom,
}: {
  series: PastSeries;
  /** Length of a bucket. */
  seconds: number;
  wakeSeconds: number | undefined;
  onZoom: (span: Span) => void;
}) {
  const texts = useMessages(endpointMessages);
  const [hovered, setHovered] = useState<number>();
  const data = useMemo(
    () => chartData(series.buckets, seconds, wakeSeconds) as uPlot.AlignedData,
    [series, seconds, wakeSeconds],
  );
  const box = useChart(data, (element) => {
    const axis: uPlot.Axis = {
      stroke: colour(element, "--chart-text"),
      font: "12px system-ui, sans-serif",
      grid: { stroke: colour(element, "--chart-grid"), width: 1 },
      ticks: { show: false },
    };
    return {
      legend: { show: false },
      // The zoom asks for finer buckets instead of enlarging these.
      cursor: { y: false, points: { size: 7 }, drag: { x: true, y: false, setScale: false } },
      padding: [8, 12, 0, 0],
      axes: [
        { ...axis, size: 28, space: 90, values: timeLabels },
        { ...axis, size: axisWidth, values: axisValues(series.unit) },
      ],
      scales: { y: { range: padded } },
      series: [
        {},
        { points: { show: false } },
        { points: { show: false } },
        { stroke: colour(element, "--chart-line"), width: 1.8, points: { size: 4 } },
      ],
      bands: [{ series: [1, 2], fill: colour(element, "--chart-band") }],
      hooks: {
        setCursor: [
          (plot) => {
            const start = plot.cursor.idx == null ? undefined : plot.data[0][plot.cursor.idx];
            setHovered(start);
          },
        ],
        setSelect: [
          (plot) => {
            const { left, width } = plot.select;
            if (width < 8) return;
            const from = plot.posToVal(left, "x") * 1000;
            const to = plot.posToVal(left + width, "x") * 1000;
            plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            onZoom({ from, to });
          },
        ],
      },
    };
  });
  const bucket =
    hovered === undefined
      ? undefined
      : series.buckets.find(({ start }) => start / 1000 + seconds / 2 === hovered);
  const recovered =
    bucket?.recovered ?? series.buckets.reduce((sum, one) => sum + one.recovered, 0);
  const inUnit = (value: number) => {
    const { value: text, unit } = atAGlance(String(Number(value.toPrecision(6))), series.unit);
    return `${text} ${unit}`.trim();
  };
  return (
    <figure className="history-chart">
      <div
        ref={box}
        className="chart history-plot"
        role="img"
        aria-label={texts.chart(series.name)}
        data-points={series.buckets.length}
      />
      <figcaption className="numbers dimmed">
        {bucket === undefined ? (
          <bdi>{series.name}</bdi>
        ) : (
          texts.readout(
            moment(bucket.start),
            inUnit(bucket.mean),
            inUnit(bucket.min),
            inUnit(bucket.max),
            bucket.count,
          )
        )}
        {recovered > 0 && ` (${texts.recoveredCount(recovered)})`}
      </figcaption>
    </figure>
  );
}

function timeLabels(plot: uPlot, splits: number[]): string[] {
  const { min, max } = plot.scales["x"] ?? {};
  const days = (max ?? 0) - (min ?? 0) > 2 * DAY;
  return splits.map((at) =>
    days ? new Date(at * 1000).toLocaleDateString() : timeOfDay(at * 1000),
  );
}
