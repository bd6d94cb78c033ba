import { expect, test } from "vitest";
import { RateMeter } from "../src/gateway/rateMeter";
import { nameKey } from "../src/gateway/names";

test("counts stand in the second in which they happened", () => {
  const meter = new RateMeter(10_000);
  meter.add(2, 10_500);
  meter.add(1, 12_000);
  meter.add(4, 12_999);
  expect(meter.last(60, 13_000)).toEqual([2, 0, 5]);
  expect(meter.last(1, 13_000)).toEqual([5]);
});

test("the second in which counting began late is left out", () => {
  const meter = new RateMeter(10_900);
  meter.add(1, 10_950);
  expect(meter.last(60, 12_000)).toEqual([0]);
});

test("a long silence leaves zeros, not the counts of earlier minutes", () => {
  const meter = new RateMeter(0);
  for (let second = 0; second < 100; second++) meter.add(1, second * 1000);
  expect(meter.last(60, 100_000)).toEqual(new Array(60).fill(1));
  expect(meter.last(60, 100_000_000)).toEqual(new Array(60).fill(0));
});

test("names with numbers are in the order of the numbers", () => {
  const names = ["mote-10", "Mote-2", "mote-1", "a"];
  expect(names.sort((one, other) => (nameKey(one) < nameKey(other) ? -1 : 1))).toEqual([
    "a",
    "mote-1",
    "Mote-2",
    "mote-10",
  ]);
});
