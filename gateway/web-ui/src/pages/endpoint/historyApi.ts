import type { Api } from "../../gateway/api";
import { instant, oneOf } from "../../gateway/json";
import type { Schemas } from "../../gateway/schemas";

/** A value as it was measured. Times are milliseconds since 1970. */
export interface PastValue extends Pick<Schemas["Value"], "seq" | "name" | "delayed"> {
  measuredAt: number | undefined;
  arrivedAt: number | undefined;
  unit: string;
  value: string;
  /** Fetched from the mote's block store after an outage: the endpoint did not sign it. */
  recovered: boolean;
}

/**
 * The values that were measured within one span of time. `start` is in milliseconds since 1970.
 * Recovered values are not signed.
 */
export interface Bucket extends Pick<
  Schemas["Bucket"],
  "count" | "mean" | "min" | "max" | "recovered"
> {
  start: number;
}

/** One measured name. */
export interface PastSeries {
  name: string;
  unit: string;
  buckets: Bucket[];
}

/** Milliseconds since 1970; the end is exclusive. */
export interface Span {
  from: number;
  to: number;
}

/** The zoomed span in the parameters of an address, in milliseconds since 1970. */
export function zoomOf(parameters: URLSearchParams): Span | undefined {
  const [from, to] = [Number(parameters.get("from")), Number(parameters.get("to"))];
  return from > 0 && to > from && Number.isFinite(to) ? { from, to } : undefined;
}

/** Requests of one history at most; each covers tens of thousands of values. */
const MAX_PAGES = 20;

/** The data from which buckets were computed; only values are signed. */
export type Resolution = "values" | "minute" | "hour" | "day";

const RESOLUTIONS: readonly Resolution[] = ["values", "minute", "hour", "day"];

/** The gateway has aggregates of whole minutes. */
const MINUTE_SECONDS = 60;

/** Buckets of a span, and how far back the gateway could go. */
export interface Buckets {
  series: PastSeries[];
  /** Length of a bucket. */
  seconds: number;
  resolution: Resolution;
  valuesSince: number | undefined;
  aggregatesSince: number | undefined;
}

/**
 * The numbers of a resource in buckets of time. Buckets of less than a minute become minutes if
 * only the aggregates reach back to the start of the span.
 *
 * @throws ApiProblem
 */
export async function loadBuckets(
  api: Pick<Api, "json">,
  id: string,
  path: string,
  span: Span,
  seconds: number,
): Promise<Buckets> {
  const found = await loadPages(api, id, path, span, seconds);
  const { valuesSince = Infinity, aggregatesSince = Infinity } = found;
  const reachesFurther = aggregatesSince + MINUTE_SECONDS * 1000 <= valuesSince;
  return seconds < MINUTE_SECONDS && reachesFurther && span.from < valuesSince
    ? loadPages(api, id, path, span, MINUTE_SECONDS)
    : found;
}

/**
 * The numbers of several resources, all in buckets of the same length, so that they fit into one
 * chart.
 *
 * @throws ApiProblem
 */
export async function loadAlike(
  api: Pick<Api, "json">,
  resources: readonly { id: string; path: string }[],
  span: Span,
  seconds: number,
): Promise<Buckets[]> {
  const loaded = await Promise.all(
    resources.map(async (one) => ({
      one,
      buckets: await loadBuckets(api, one.id, one.path, span, seconds),
    })),
  );
  const longest = Math.max(...loaded.map(({ buckets }) => buckets.seconds));
  return Promise.all(
    loaded.map(({ one, buckets }) =>
      buckets.seconds === longest ? buckets : loadBuckets(api, one.id, one.path, span, longest),
    ),
  );
}

async function loadPages(
  api: Pick<Api, "json">,
  id: string,
  path: string,
  { from, to }: Span,
  seconds: number,
): Promise<Buckets> {
  const merged = new Map<string, PastSeries>();
  let first: Schemas["History"] | undefined;
  let after = "";
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = `from=${from / 1000}&to=${to / 1000}&bucket=${seconds}s${after}`;
    const answer = (await api.json(`${historyPath(id, path)}?${query}`)) as Schemas["History"];
    first ??= answer;
    const { series = [], next } = answer;
    for (const one of series.map(readSeries)) merge(merged, one);
    if (next === undefined) break;
    after = `&after=${next}`;
  }
  return {
    series: [...merged.values()],
    seconds,
    resolution: oneOf(RESOLUTIONS, first?.resolution ?? null) ?? "values",
    valuesSince: instant(first?.valuesSince),
    aggregatesSince: instant(first?.aggregatesSince),
  };
}

/** Values of a span, the newest first. */
export interface NewestValues {
  values: PastValue[];
  /** Whether the span has older ones. */
  more: boolean;
}

/**
 * The newest values of a resource.
 *
 * @param limit number of updates at most; each may carry several values
 * @throws ApiProblem
 */
export async function loadNewest(
  api: Pick<Api, "json">,
  id: string,
  path: string,
  { from, to }: Span,
  limit: number,
): Promise<NewestValues> {
  const query = `from=${from / 1000}&to=${to / 1000}&order=newest&limit=${limit}`;
  const answer = await api.json(`${historyPath(id, path)}?${query}`);
  const { values = [], next } = answer as Schemas["History"];
  return { values: values.map(readValue), more: next !== undefined };
}

export function resourcePath(id: string, path: string): string {
  return `api/endpoints/${encodeURIComponent(id)}/resources/${path}`;
}

function historyPath(id: string, path: string): string {
  return `${resourcePath(id, path)}/history`;
}

function readSeries({ name, unit = "", buckets }: Schemas["Series"]): PastSeries {
  return {
    name,
    unit,
    buckets: buckets.map(({ start, count, mean, min, max, recovered }) => ({
      start: Date.parse(start),
      count,
      mean,
      min,
      max,
      recovered,
    })),
  };
}

function readValue(read: Schemas["Value"]): PastValue {
  const { seq, name, unit = "", delayed, provenance } = read;
  return {
    seq,
    measuredAt: instant(read.measuredAt),
    arrivedAt: instant(read.arrivedAt),
    name,
    unit,
    value: String(read.value ?? read.sum ?? ""),
    delayed,
    recovered: provenance !== "signed",
  };
}

/** Pages divide the values by number, so two pages can contain parts of the same bucket. */
function merge(all: Map<string, PastSeries>, more: PastSeries): void {
  const key = JSON.stringify([more.name, more.unit]);
  const known = all.get(key);
  if (known === undefined) {
    all.set(key, more);
    return;
  }
  const buckets = new Map(known.buckets.map((bucket) => [bucket.start, bucket]));
  for (const bucket of more.buckets) {
    const same = buckets.get(bucket.start);
    buckets.set(bucket.start, same === undefined ? bucket : together(same, bucket));
  }
  known.buckets = [...buckets.values()].sort((one, other) => one.start - other.start);
}

function together(one: Bucket, other: Bucket): Bucket {
  const count = one.count + other.count;
  return {
    start: one.start,
    count,
    mean: (one.mean * one.count + other.mean * other.count) / count,
    min: Math.min(one.min, other.min),
    max: Math.max(one.max, other.max),
    recovered: one.recovered + other.recovered,
  };
}
