import { useMemo, useRef } from "react";
import uPlot from "uplot";
import { useMessages } from "../../hooks/messages";
import {
  axisIn,
  axisValues,
  axisWidth,
  colour,
  padded,
  timeLabels,
  useChart,
} from "../../parts/Chart";
import { CalibratedButton } from "../../parts/Calibrated";
import { conversionOf } from "../../text/displayUnits";
import { asSigned } from "../../text/format";
import type { Content, Line, Tile } from "./api";
import { messages } from "./messages";

/** Lines of a chart differ in their colours, and have the order of the key. */
const COLOURS = 8;
/** The usual height of labels in pixels. */
const LABELS = 12;
/** A silence of this many intervals is a gap. */
const GAP = 2.5;

/** The numbers of resources over time: the mean of each interval. */
export function ChartTile({ tile, content }: { tile: Tile; content: Content }) {
  const texts = useMessages(messages);
  const chart = content.chart;
  const lines = chart?.lines ?? [];
  // A new list would draw the chart again each second. Other units render the page anew.
  const drawn = useMemo(
    () => (chart?.lines ?? []).filter(({ points }) => points.length > 0).map(asShown),
    [chart],
  );
  const signedUnitOf = (line: Line) =>
    lines.find(({ source, measured }) => source === line.source && measured === line.measured)
      ?.unit ?? "";
  const hidden = lines.filter(({ sight }) => sight === "no-right").length;
  return (
    <div className="tile-chart">
      {chart === undefined || drawn.length === 0 ? (
        <div className="tile-nothing">
          {hidden === lines.length ? texts.noRight : texts.noNumbers}
        </div>
      ) : (
        <Plot
          // The number of lines and their units decide about the axes.
          key={drawn.map(({ source, measured, unit }) => `${source} ${measured} ${unit}`).join()}
          lines={drawn}
          from={Date.parse(chart.from) / 1000}
          to={Date.parse(chart.to) / 1000}
          seconds={chart.bucketSeconds}
        />
      )}
      {(lines.length > 1 || drawn.some(({ calibration }) => calibration !== undefined)) && (
        <ul className="tile-key">
          {drawn.map((line, at) => (
            <li key={`${line.source} ${line.measured}`} data-line={at % COLOURS}>
              <span className="tile-key-line" aria-hidden />
              <span className="clip">{labelOf(tile, line)}</span>
              <span className="numbers">{lastOf(line)}</span>
              {line.calibration !== undefined && (
                <CalibratedButton calibration={line.calibration} unit={signedUnitOf(line)} />
              )}
            </li>
          ))}
          {hidden > 0 && <li className="dimmed">{texts.noRight}</li>}
        </ul>
      )}
    </div>
  );
}

function labelOf(tile: Tile, { source, name, measured }: Line): string {
  const path = tile.sources[source]?.path ?? measured ?? "";
  return `${name ?? ""}: ${path}`;
}

/** A calibrated line in the unit that people chose. */
export function asShown(line: Line): Line {
  const conversion = conversionOf(line.unit ?? "", line.calibration);
  if (conversion === undefined) return line;
  const { unit, of } = conversion;
  const points = line.points.map((point) => {
    const ends = [of(point.min), of(point.max)];
    // A negative factor exchanges them.
    return { ...point, mean: of(point.mean), min: Math.min(...ends), max: Math.max(...ends) };
  });
  return { ...line, unit, points };
}

function lastOf({ points, unit }: Line): string {
  const last = points.at(-1);
  if (last === undefined) return "";
  return Object.values(asSigned(String(Number(last.mean.toPrecision(4))), unit ?? ""))
    .join(" ")
    .trim();
}

function Plot({
  lines,
  from,
  to,
  seconds,
}: {
  lines: readonly Line[];
  /** Unix time in seconds. */
  from: number;
  to: number;
  seconds: number;
}) {
  const texts = useMessages(messages);
  const data = useMemo(() => {
    const tables = lines.map(({ points }) => columnsOf(points, seconds, to));
    return uPlot.join(tables);
  }, [lines, seconds, to]);
  // The axis is the span of the tile, whatever times the values have.
  const shown = useRef<[number, number]>([from, to]);
  shown.current = [from, to];
  const units = [...new Set(lines.map(({ unit }) => unit ?? ""))];
  const scaleOf = (unit: string | undefined) => (units.indexOf(unit ?? "") === 1 ? "other" : "y");
  const box = useChart(data, (element) => {
    // On a wallboard the labels are larger.
    const { fontSize } = getComputedStyle(element);
    const scale = Number.parseFloat(fontSize) / LABELS;
    const axis = { ...axisIn(element), font: `${fontSize} system-ui, sans-serif` };
    const width = (plot: uPlot, labels: string[] | null) => scale * axisWidth(plot, labels);
    return {
      legend: { show: false },
      cursor: { show: false },
      padding: [8, 8, 0, 0],
      axes: [
        { ...axis, size: 26 * scale, space: 90 * scale, values: timeLabels },
        { ...axis, size: width, values: axisValues(units[0] ?? "") },
        ...(units.length < 2
          ? []
          : [
              {
                ...axis,
                scale: "other",
                side: 1,
                grid: { show: false },
                size: width,
                values: axisValues(units[1] ?? ""),
              } satisfies uPlot.Axis,
            ]),
      ],
      scales: {
        x: { range: () => shown.current },
        y: { range: padded },
        ...(units.length < 2 ? {} : { other: { range: padded } }),
      },
      series: [
        {},
        ...lines.map(({ unit }, at) => ({
          scale: scaleOf(unit),
          stroke: colour(element, `--tile-line-${at % COLOURS}`),
          width: 2,
          points: { size: 4, show: (plot: uPlot) => (plot.data[0]?.length ?? 0) < 60 },
        })),
      ],
    };
  });
  return (
    <div
      ref={box}
      className="chart tile-plot"
      role="img"
      aria-label={texts.chartLabel(lines.map(({ name, measured }) => `${name}: ${measured}`))}
      data-lines={lines.length}
    />
  );
}

/**
 * Times in the middle of their intervals, and means; null marks a gap.
 *
 * @param to end of the chart, unix time in seconds; the last interval is not over yet
 */
export function columnsOf(points: Line["points"], seconds: number, to: number): uPlot.AlignedData {
  const times: number[] = [];
  const means: (number | null)[] = [];
  let last: number | undefined;
  for (const { start, mean } of points) {
    const time = Math.min(to, Date.parse(start) / 1000 + seconds / 2);
    if (last !== undefined && time - last > GAP * Math.max(seconds, 3600)) {
      times.push((last + time) / 2);
      means.push(null);
    }
    times.push(time);
    means.push(mean);
    last = time;
  }
  return [times, means];
}
