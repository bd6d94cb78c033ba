import { describe, expect, test } from "vitest";
import type { ShownEndpoint } from "../src/gateway/endpointStore";
import { readCommand, readEndpoint } from "../src/gateway/model";
import { likelyResource, writablePaths } from "../src/pages/endpoint/likelyResource";
import { bucketLength, chartData } from "../src/pages/endpoint/chartData";
import { comparable } from "../src/pages/endpoint/compared";
import {
  loadAlike,
  loadBuckets,
  loadNewest,
  type PastValue,
} from "../src/pages/endpoint/historyApi";
import { exportPath } from "../src/pages/endpoints/api";
import { wakePattern } from "../src/pages/endpoint/wake";

const HOUR = 3_600_000;
const SPAN = { from: 0, to: HOUR };

/** A gateway with a fixed JSON answer for each value of `after`, and the received requests. */
function gateway(answers: Record<string, object>) {
  const requests: string[] = [];
  const json = (path: string) => {
    requests.push(path);
    return Promise.resolve(answers[/after=(\d+)/.exec(path)?.[1] ?? ""] ?? {});
  };
  return { json, requests };
}

function bucket(seconds: number, count: number, mean: number, min = mean, max = mean) {
  const recovered = count - 1;
  return { start: new Date(seconds * 1000).toISOString(), count, mean, min, max, recovered };
}

describe("the buckets of a history", () => {
  test("of several pages are put together", async () => {
    const pages = gateway({
      "": { series: [{ name: "t", unit: "Cel", buckets: [bucket(0, 3, 1, 0, 2)] }], next: 9 },
      "9": { series: [{ name: "t", unit: "Cel", buckets: [bucket(0, 1, 5), bucket(60, 1, 7)] }] },
    });
    const {
      series: [series],
    } = await loadBuckets(pages, "7", "a/t", SPAN, 60);
    expect(series?.buckets).toEqual([
      { start: 0, count: 4, mean: 2, min: 0, max: 5, recovered: 2 },
      { start: 60_000, count: 1, mean: 7, min: 7, max: 7, recovered: 0 },
    ]);
    expect(pages.requests[0]).toBe(
      "api/endpoints/7/resources/a/t/history?from=0&to=3600&bucket=60s",
    );
  });

  test("become minutes where only the aggregates reach back to the start", async () => {
    const requests: string[] = [];
    const json = (path: string) => {
      requests.push(path);
      const resolution = path.includes("bucket=60s") ? "minute" : "values";
      const [valuesSince, aggregatesSince] = ["1970-01-01T00:30:00Z", "1970-01-01T00:00:00Z"];
      return Promise.resolve({ resolution, valuesSince, aggregatesSince, series: [] });
    };
    expect(await loadBuckets({ json }, "7", "t", SPAN, 15)).toEqual({
      series: [],
      seconds: 60,
      resolution: "minute",
      valuesSince: HOUR / 2,
      aggregatesSince: 0,
    });
    const recent = await loadBuckets({ json }, "7", "t", { from: HOUR / 2, to: HOUR }, 15);
    expect(recent.resolution).toBe("values");
    expect(requests).toHaveLength(3);
  });

  test("of compared resources have the same length", async () => {
    const json = (path: string) => {
      const minutes = path.includes("bucket=60s");
      const aggregatesSince = path.includes("resources/a/") ? "1970-01-01T00:00:00Z" : undefined;
      return Promise.resolve({
        resolution: minutes ? "minute" : "values",
        valuesSince: "1970-01-01T00:30:00Z",
        aggregatesSince,
        series: [],
      });
    };
    const compared = [
      { id: "1", path: "a" },
      { id: "2", path: "b" },
    ];
    const loaded = await loadAlike({ json }, compared, SPAN, 15);
    expect(loaded.map(({ seconds }) => seconds)).toEqual([60, 60]);
  });

  test("are as long as a chart can show, in lengths that people read", () => {
    expect(bucketLength({ from: 0, to: HOUR })).toBe(15);
    expect(bucketLength({ from: 0, to: 24 * HOUR })).toBe(300);
    expect(bucketLength({ from: 0, to: 365 * 24 * HOUR })).toBe(172_800);
    expect(bucketLength({ from: 0, to: 1000 })).toBe(1);
  });

  test("leave a gap where nothing was measured, but not between two wakes", () => {
    const buckets = [0, 60, 120, 600].map((at) => ({
      start: at * 1000,
      count: 1,
      mean: at,
      min: at - 1,
      max: at + 1,
      recovered: 0,
    }));
    const [times, max, min, mean] = chartData(buckets, 60, 60);
    expect(times).toEqual([30, 90, 150, 390, 630]);
    expect(mean).toEqual([0, 60, 120, null, 600]);
    expect([max[3], min[3]]).toEqual([null, null]);
    expect(chartData(buckets, 60, 300)[3]).toEqual([0, 60, 120, 600]);
  });
});

test("the newest values of a span are read in one request", async () => {
  const value = (seq: number) => ({ seq, name: "t", value: seq / 2, provenance: "signed" });
  const answer = gateway({ "": { values: [value(3), value(2)], next: 2 } });
  const { values, more } = await loadNewest(answer, "7", "t", SPAN, 2);
  expect(values.map(({ seq, value: text }) => [seq, text])).toEqual([
    [3, "1.5"],
    [2, "1"],
  ]);
  expect(more).toBe(true);
  expect(answer.requests).toEqual([
    "api/endpoints/7/resources/t/history?from=0&to=3600&order=newest&limit=2",
  ]);
});

test("a value counts as signed only if the gateway says so", async () => {
  const values = [{ provenance: "signed" }, { provenance: "recovered" }, {}];
  const read = await loadNewest(gateway({ "": { values } }), "7", "t", SPAN, 10);
  expect(read.more).toBe(false);
  expect(read.values.map(({ recovered }) => recovered)).toEqual([false, true, true]);
});

test("resources to compare with are the endpoint’s other ones and the same one of other endpoints", () => {
  const shown = (id: string, ...paths: string[]): ShownEndpoint => ({
    endpoint: readEndpoint({ id, ep: `mote-${id}`, resources: paths.map((path) => ({ path })) }),
    resources: [],
    pin: undefined,
  });
  const all = [shown("1", "temp", "load"), shown("2", "temp"), shown("3", "load")];
  const { here, there } = comparable(all, { id: "1" }, "temp");
  expect(here.map(({ label }) => label)).toEqual(["load"]);
  expect(there.map(({ id, label }) => [id, label])).toEqual([["2", "mote-2: temp"]]);
});

test("a command is for the resource commanded last, and never for a sensor by chance", () => {
  const { resources } = readEndpoint({
    id: "1",
    resources: [
      { path: "load" },
      { path: "led", writable: true },
      { path: "valve", writable: true },
    ],
  });
  const confirmed = readCommand({ path: "led", seq: 1, state: "confirmed" });
  const expired = readCommand({ path: "load", seq: 1, state: "expired" });
  expect(likelyResource({ resources, commands: [] })).toBe("");
  expect(likelyResource({ resources, commands: [confirmed, expired] })).toBe("led");
  expect(likelyResource({ resources: resources.slice(0, 2), commands: [] })).toBe("led");
  expect(likelyResource({ resources: resources.slice(0, 1), commands: [] })).toBe("");
  expect(writablePaths({ resources })).toEqual(["led", "valve"]);
});

test("an export of many endpoints names the resolution, the domain and the tags", () => {
  const all = { domain: undefined, tags: [] };
  expect(exportPath("hour-csv", all)).toBe("api/export?resolution=hour&format=csv");
  expect(exportPath("values-jsonl", { domain: "", tags: [] })).toBe(
    "api/export?resolution=values&format=jsonl&d=-",
  );
  expect(exportPath("day-csv", { domain: "a b", tags: ["hall 3", "heating"] })).toBe(
    "api/export?resolution=day&format=csv&d=a+b&tag=hall+3&tag=heating",
  );
});

describe("the wake pattern", () => {
  const arrival = (seconds: number, delayed = false) =>
    ({ arrivedAt: seconds * 1000, delayed }) as PastValue;

  test("counts the records of one wake once and leaves delayed ones out", () => {
    const arrivals = [50, 40, 20.1, 20, 10, 5].map((at) => arrival(at, at === 5));
    expect(wakePattern(arrivals)).toEqual({
      times: [20, 40, 50],
      intervals: [10, 20, 10],
      median: 10,
      longest: 20,
    });
  });

  test("leaves recovered values out, which arrive together", () => {
    const recovered = { ...arrival(30), recovered: true };
    expect(wakePattern([arrival(1), recovered, arrival(50)])).toBeUndefined();
  });

  test("needs three wakes", () => {
    expect(wakePattern([arrival(1), arrival(2)])).toBeUndefined();
  });
});
