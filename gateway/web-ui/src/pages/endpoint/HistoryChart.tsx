import { useMemo, useRef, useState } from "react";
import uPlot from "uplot";
import {
  axisIn,
  axisValues,
  axisWidth,
  colour,
  padded,
  timeLabels,
  useChart,
} from "../../parts/Chart";
import { useMessages } from "../../hooks/messages";
import type { Calibration } from "../../gateway/model";
import { CalibratedButton } from "../../parts/Calibrated";
import { asSigned, moment } from "../../text/format";
import { asShown, chartData } from "./chartData";
import type { Compared } from "./compared";
import type { PastSeries, Span } from "./historyApi";
import { endpointMessages } from "./messages";

/** A compared resource with its numbers. */
export interface Other extends Compared {
  series: PastSeries;
  calibration: Calibration | undefined;
}

/**
 * The history of one measured name: the mean as a line, minimum to maximum as a band. The mean of a
 * compared resource is a second line, on a separate axis unless the units are the same.
 */
export function HistoryChart({
  span,
  series: measured,
  calibration,
  seconds,
  wakeSeconds,
  other: otherMeasured,
  onZoom,
}: {
  /** The time axis, independent of the range of the values. */
  span: Span;
  series: PastSeries;
  calibration: Calibration | undefined;
  /** Length of a bucket. */
  seconds: number;
  wakeSeconds: number | undefined;
  /** A different one needs a different `key`, because the axes depend on it. */
  other: Other | undefined;
  onZoom: (span: Span) => void;
}) {
  const texts = useMessages(endpointMessages);
  const [hovered, setHovered] = useState<number>();
  const series = useMemo(() => asShown(measured, calibration), [measured, calibration]);
  const otherSeries = otherMeasured?.series;
  const otherCalibration = otherMeasured?.calibration;
  const otherInUnit = useMemo(
    () => otherSeries && asShown(otherSeries, otherCalibration),
    [otherSeries, otherCalibration],
  );
  const other =
    otherMeasured === undefined || otherInUnit === undefined
      ? undefined
      : { ...otherMeasured, series: otherInUnit };
  const data = useMemo(() => {
    const own = chartData(series.buckets, seconds, wakeSeconds) as uPlot.AlignedData;
    if (other === undefined) return own;
    const [times, , , means] = chartData(other.series.buckets, seconds, other.wakeSeconds);
    return uPlot.join([own, [times, means]]);
    // `other` is a new object in each rendering.
  }, [series, seconds, wakeSeconds, other?.series, other?.wakeSeconds]);
  const shown = useRef(span);
  shown.current = span;
  const otherScale = other === undefined || other.series.unit === series.unit ? "y" : "other";
  const box = useChart(data, (element) => {
    const axis = axisIn(element);
    return {
      legend: { show: false },
      // Zooming requests finer buckets instead of enlarging these.
      cursor: { y: false, points: { size: 7 }, drag: { x: true, y: false, setScale: false } },
      padding: [8, 12, 0, 0],
      axes: [
        { ...axis, size: 28, space: 90, values: timeLabels },
        { ...axis, size: axisWidth, values: axisValues(series.unit) },
        ...(other === undefined || otherScale === "y"
          ? []
          : [
              {
                ...axis,
                scale: otherScale,
                side: 1,
                grid: { show: false },
                stroke: colour(element, "--chart-other"),
                size: axisWidth,
                values: axisValues(other.series.unit),
              } satisfies uPlot.Axis,
            ]),
      ],
      scales: {
        x: { range: () => [shown.current.from / 1000, shown.current.to / 1000] },
        y: { range: padded },
        ...(otherScale === "y" ? {} : { other: { range: padded } }),
      },
      series: [
        {},
        { points: { show: false } },
        { points: { show: false } },
        { stroke: colour(element, "--chart-line"), width: 1.8, points: { size: 4 } },
        ...(other === undefined
          ? []
          : [
              {
                scale: otherScale,
                stroke: colour(element, "--chart-other"),
                width: 1.8,
                points: { size: 4 },
              },
            ]),
      ],
      bands: [{ series: [1, 2], fill: colour(element, "--chart-band") }],
      hooks: {
        setScale: [
          (plot, scale) => {
            const { min, max } = plot.scales["x"] ?? {};
            if (scale === "x") element.dataset["axisSeconds"] = ((max ?? 0) - (min ?? 0)).toFixed();
          },
        ],
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
  const at = ({ buckets }: PastSeries) =>
    buckets.find(({ start }) => start / 1000 + seconds / 2 === hovered);
  const bucket = at(series);
  const otherBucket = other && at(other.series);
  const recovered =
    bucket?.recovered ?? series.buckets.reduce((sum, one) => sum + one.recovered, 0);
  const inUnit = (value: number, unit = series.unit) =>
    Object.values(asSigned(String(Number(value.toPrecision(6))), unit))
      .join(" ")
      .trim();
  return (
    <figure className="history-chart">
      <div
        ref={box}
        className="chart history-plot"
        role="img"
        aria-label={texts.chart([series.name, ...(other === undefined ? [] : [other.label])])}
        data-points={series.buckets.length}
        data-other-points={other?.series.buckets.length}
      />
      <figcaption className="numbers dimmed">
        {other !== undefined && <span className="chart-key" aria-hidden />}
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
        {calibration !== undefined && (
          <CalibratedButton calibration={calibration} unit={measured.unit} />
        )}
        {recovered > 0 && ` (${texts.recoveredCount(recovered)})`}
        {other !== undefined && (
          <span className="chart-other">
            <span className="chart-key" data-other aria-hidden />
            <bdi>{other.label}</bdi>
            {otherBucket !== undefined && `: ${inUnit(otherBucket.mean, other.series.unit)}`}
            {otherCalibration !== undefined && otherSeries !== undefined && (
              <CalibratedButton calibration={otherCalibration} unit={otherSeries.unit} />
            )}
          </span>
        )}
      </figcaption>
    </figure>
  );
}
