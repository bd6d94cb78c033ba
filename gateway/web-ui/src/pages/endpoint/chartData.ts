import { conversionOf, type Calibrated } from "../../text/displayUnits";
import type { Bucket, PastSeries, Span } from "./historyApi";

/** Buckets across a chart: about one per two or three pixels. */
const BUCKETS = 300;
/** Lengths that people read easily, in seconds. */
const LENGTHS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400,
  172_800, 604_800, 2_592_000,
];
/** A silence of this many wake intervals or buckets is a gap. */
const GAP = 2.5;

/** The length of a bucket for a span, in seconds. */
export function bucketLength({ from, to }: Span): number {
  const wanted = (to - from) / 1000 / BUCKETS;
  return LENGTHS.find((length) => length >= wanted) ?? (LENGTHS.at(-1) as number);
}

/**
 * The calibrated numbers in the unit that people chose; the page must be rendered anew for another
 * unit.
 */
export function asShown(series: PastSeries, calibration?: Calibrated): PastSeries {
  const conversion = conversionOf(series.unit, calibration);
  if (conversion === undefined) return series;
  const { unit, of } = conversion;
  const buckets = series.buckets.map((one) => {
    const ends = [of(one.min), of(one.max)];
    // A negative factor exchanges them.
    return { ...one, mean: of(one.mean), min: Math.min(...ends), max: Math.max(...ends) };
  });
  return { ...series, unit, buckets };
}

/** Times in seconds, then maximum, minimum and mean; null marks a gap. */
export type ChartData = [number[], (number | null)[], (number | null)[], (number | null)[]];

/**
 * Buckets as columns of a chart.
 *
 * @param wakeSeconds a silence of several intervals is a gap, where a line would suggest values
 */
export function chartData(
  buckets: readonly Bucket[],
  seconds: number,
  wakeSeconds: number | undefined,
): ChartData {
  const longest = GAP * Math.max(seconds, wakeSeconds ?? 0);
  const data: ChartData = [[], [], [], []];
  const add = (time: number, max: number | null, min: number | null, mean: number | null) => {
    data[0].push(time);
    data[1].push(max);
    data[2].push(min);
    data[3].push(mean);
  };
  let last: number | undefined;
  for (const { start, min, max, mean } of buckets) {
    const time = start / 1000 + seconds / 2;
    if (last !== undefined && time - last > longest) add((last + time) / 2, null, null, null);
    add(time, max, min, mean);
    last = time;
  }
  return data;
}
