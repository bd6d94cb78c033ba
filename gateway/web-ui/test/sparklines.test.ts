import { expect, test, vi } from "vitest";
import { pathOf, Sparklines } from "../src/gateway/sparklines";

const HOUR = 3_600_000;

function line(endpoint: string) {
  return { endpoint, path: "temp", measured: "temp", points: [] };
}

test("rows that appear together share one request, and a row that left is not read", async () => {
  vi.useFakeTimers();
  const asked: string[] = [];
  const sparklines = new Sparklines({
    json: (path) => {
      asked.push(path);
      return Promise.resolve({ sparklines: [line("a"), line("b")] });
    },
  });
  const changed = vi.fn();
  sparklines.watch("a", changed);
  sparklines.watch("b", changed);
  sparklines.watch("c", () => undefined)();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked).toEqual(["api/sparklines?endpoint=a&endpoint=b"]);
  expect(changed).toHaveBeenCalledTimes(2);
  expect(sparklines.get("a")?.path).toBe("temp");
  sparklines.watch("a", changed);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked).toHaveLength(1);
  vi.useRealTimers();
});

test("more than a hundred rows are read in parts", async () => {
  vi.useFakeTimers();
  const sizes: number[] = [];
  const sparklines = new Sparklines({
    json: (path) => {
      sizes.push(path.split("endpoint=").length - 1);
      return Promise.reject(new Error("no answer"));
    },
  });
  for (let i = 0; i < 130; i++) sparklines.watch(`e${i}`, () => undefined);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(sizes).toEqual([100, 30]);
  vi.useRealTimers();
});

test("a sparkline has gaps for hours without a number", () => {
  const now = 100 * HOUR;
  const at = (hour: number, mean: number) => ({
    start: new Date(hour * HOUR).toISOString(),
    mean,
    min: mean,
    max: mean,
  });
  const path = pathOf([at(80, 1), at(81, 3), at(90, 2)], now, 84, 24);
  expect(path).toMatch(/^M\S+ 22\.0L\S+ 2\.0M\S+ 12\.0h1\.5$/);
});
