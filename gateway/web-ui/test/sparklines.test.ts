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

test("a row that stays in view is read again while the page is visible", async () => {
  vi.useFakeTimers();
  let visible = true;
  let asked: string[] = [];
  const sparklines = new Sparklines(
    {
      json: (path) => {
        asked.push(path);
        return Promise.resolve({ sparklines: [{ ...line("a"), path: `answer ${asked.length}` }] });
      },
    },
    Date.now,
    () => visible,
  );
  const changed = vi.fn();
  const unwatch = [sparklines.watch("a", changed), sparklines.watch("b", () => undefined)];
  await vi.advanceTimersByTimeAsync(1_000);
  const before = sparklines.get("a");
  await vi.advanceTimersByTimeAsync(4 * 60_000);
  expect(asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2 * 60_000);
  const both = "api/sparklines?endpoint=a&endpoint=b";
  expect(asked).toEqual([both, both]);
  expect(changed).toHaveBeenCalledTimes(2);
  expect(sparklines.get("a")).not.toBe(before);
  visible = false;
  await vi.advanceTimersByTimeAsync(60 * 60_000);
  expect(asked).toHaveLength(2);
  visible = true;
  await vi.advanceTimersByTimeAsync(61_000);
  expect(asked).toHaveLength(3);
  for (const stop of unwatch) stop();
  expect(vi.getTimerCount()).toBe(0);
  asked = [];
  await vi.advanceTimersByTimeAsync(60 * 60_000);
  expect(asked).toEqual([]);
  vi.useRealTimers();
});

test("a row keeps its sparkline when the next request fails, and asks again", async () => {
  vi.useFakeTimers();
  let answers = true;
  let asked = 0;
  const sparklines = new Sparklines(
    {
      json: () => {
        asked++;
        return answers
          ? Promise.resolve({ sparklines: [line("a")] })
          : Promise.reject(new Error("no answer"));
      },
    },
    Date.now,
    () => true,
  );
  const stop = sparklines.watch("a", () => undefined);
  await vi.advanceTimersByTimeAsync(1_000);
  answers = false;
  await vi.advanceTimersByTimeAsync(6 * 60_000);
  expect(asked).toBe(2);
  expect(sparklines.get("a")?.path).toBe("temp");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(3);
  stop();
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
