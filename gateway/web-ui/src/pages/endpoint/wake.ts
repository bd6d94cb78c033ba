import type { PastValue } from "./historyApi";

/** How regularly an endpoint woke. */
export interface WakePattern {
  /** The arrival of each update and the seconds since the previous one, oldest first. */
  times: number[];
  intervals: number[];
  median: number;
  longest: number;
}

/**
 * Updates that arrive within this time, in seconds, are of the same wake: it may send several
 * records or resources.
 */
const SAME_WAKE = 0.5;

/** Undefined with fewer than three wakes. */
export function wakePattern(values: readonly PastValue[]): WakePattern | undefined {
  const arrivals = values
    .filter(({ delayed, recovered }) => !delayed && !recovered)
    .flatMap(({ arrivedAt }) => (arrivedAt === undefined ? [] : [arrivedAt / 1000]))
    .sort((one, other) => one - other);
  const times: number[] = [];
  const intervals: number[] = [];
  let last = arrivals[0];
  for (const time of arrivals.slice(1)) {
    if (last === undefined || time - last < SAME_WAKE) continue;
    times.push(time);
    intervals.push(time - last);
    last = time;
  }
  if (intervals.length < 2) return undefined;
  const ordered = [...intervals].sort((one, other) => one - other);
  return {
    times,
    intervals,
    median: ordered[Math.floor(ordered.length / 2)] ?? 0,
    longest: ordered.at(-1) ?? 0,
  };
}
