import { afterAll, beforeEach, expect, test } from "vitest";
import {
  chooseUnit,
  conversionOf,
  displayUnits,
  loadUnits,
  setGatewayUnits,
  unitsInForce,
  type Quantity,
} from "../src/text/displayUnits";
import { calibrationOf, readEndpoint } from "../src/gateway/model";
import { calibrationFrom, draftOf, numberOf } from "../src/pages/endpoint/calibrationDraft";
import { shownPoints } from "../src/pages/endpoints/Trend";
import { formula, readable } from "../src/text/format";

const unit = (name: string, symbol: string, numerator = 1, denominator = 1, offset = 0) => ({
  unit: name,
  symbol,
  numerator,
  denominator,
  offset,
});
const TEMPERATURE: Quantity = [
  unit("Cel", "°C"),
  unit("K", "K", 1, 1, 273.15),
  unit("degF", "°F", 9, 5, 32),
];
const SPEED: Quantity = [unit("m/s", "m/s"), unit("km/h", "km/h", 18, 5)];
const quantities = [TEMPERATURE, SPEED].map((units) => ({ units: [...units] }));
let kept: Record<string, string>;

function load(): void {
  loadUnits({
    getItem: (item) => kept[item] ?? null,
    setItem: (item, text) => {
      kept[item] = text;
    },
  });
}

beforeEach(() => {
  kept = {};
  load();
  setGatewayUnits({ chosen: [], quantities });
});

afterAll(() => {
  kept = {};
  load();
  setGatewayUnits({ chosen: [], quantities: [] });
});

test("without a choice, numbers are shown as measured", () => {
  expect(conversionOf("Cel")).toBeUndefined();
  expect(readable("21.5", "Cel")).toEqual({ value: "21.5", unit: "°C" });
});

test("the gateway's choice applies unless this browser has its own", () => {
  setGatewayUnits({ chosen: ["degF", "km/h"], quantities });
  expect(readable("21.5", "Cel")).toEqual({ value: "70.7", unit: "°F" });
  expect(readable("10", "m/s")).toEqual({ value: "36", unit: "km/h" });
  expect(readable("300", "K")).toEqual({ value: "80.33", unit: "°F" });
  chooseUnit(TEMPERATURE, "K");
  expect(readable("21.5", "Cel")).toEqual({ value: "294.65", unit: "K" });
  expect(unitsInForce()).toEqual(["K", "km/h"]);
  chooseUnit(TEMPERATURE, "");
  expect(readable("21.5", "Cel")).toEqual({ value: "21.5", unit: "°C" });
  expect(unitsInForce()).toEqual(["km/h"]);
  chooseUnit(TEMPERATURE, undefined);
  expect(readable("21.5", "Cel").unit).toBe("°F");
});

test("texts and other units stay as they are", () => {
  chooseUnit(TEMPERATURE, "degF");
  expect(readable("warm", "Cel")).toEqual({ value: "warm", unit: "°C" });
  expect(readable("–", "Cel").value).toBe("–");
  expect(readable("300", "lx")).toEqual({ value: "300", unit: "lx" });
});

test("the choice is kept in this browser", () => {
  chooseUnit(SPEED, "km/h");
  load();
  expect(displayUnits().own).toEqual({ "m/s": "km/h" });
  kept["vigil.units"] = "[nonsense";
  load();
  expect(displayUnits().own).toEqual({});
});

test("a calibration applies to the signed number, and the chosen unit to its result", () => {
  const calibration = { factor: 1.02, offset: 0.3 };
  expect(readable("21.5", "Cel", calibration)).toEqual({ value: "22.23", unit: "°C" });
  chooseUnit(TEMPERATURE, "degF");
  expect(readable("21.5", "Cel", calibration)).toEqual({ value: "72.014", unit: "°F" });
  // The result may have another unit.
  const sensor = { factor: 100, offset: -50, unit: "Cel" };
  expect(readable("0.7", "V", sensor)).toEqual({ value: "68", unit: "°F" });
  expect(readable("0.7", "V", { ...sensor, unit: "lx" })).toEqual({ value: "20", unit: "lx" });
  expect(readable("warm", "Cel", calibration)).toEqual({ value: "warm", unit: "°C" });
});

test("the formula shows the signed number and the calibrated one", () => {
  expect(formula("Cel", { factor: 1.02, offset: 0.3 }, "21.5")).toBe(
    "21.5 °C × 1.02 + 0.3 = 22.23 °C",
  );
  expect(formula("Cel", { factor: 1, offset: -0.5 }, "21.5")).toBe("21.5 °C − 0.5 = 21 °C");
  expect(formula("V", { factor: 100, offset: 0, unit: "Cel" })).toBe("signed value × 100");
});

test("the calibration of a record takes precedence over that of its resource", () => {
  const { calibrations } = readEndpoint({
    id: "a",
    calibrations: [
      { path: "air", factor: 2, offset: 0 },
      { path: "air", name: "mote:t", factor: 3, offset: 0 },
    ],
  });
  expect(calibrationOf(calibrations, "air", "mote:t")?.factor).toBe(3);
  expect(calibrationOf(calibrations, "air", "mote:h")?.factor).toBe(2);
  expect(calibrationOf(calibrations, "soil", "mote:t")).toBeUndefined();
});

test("a typed calibration has a factor other than 0, and a decimal comma is allowed", () => {
  const draft = { ...draftOf([], "temp", ""), factor: "1,02", offset: "−0.3", note: " ice " };
  expect(calibrationFrom("temp", draft)).toEqual({
    calibration: { path: "temp", factor: 1.02, offset: -0.3, note: "ice" },
    faults: [],
  });
  expect(calibrationFrom("temp", { ...draft, factor: "0", offset: "" }).faults).toEqual([
    "factor",
    "offset",
  ]);
  expect(numberOf("1e999")).toBeUndefined();
  const stored = { path: "temp", name: "t", factor: 2, offset: 1, date: "2026-11-03" };
  expect(calibrationFrom("temp", draftOf([stored], "temp", "t")).calibration).toEqual(stored);
});

test("a sparkline follows the calibration", () => {
  const points = [{ start: "2026-03-01T12:00:00Z", mean: 20, min: 10, max: 30 }];
  const line = { endpoint: "a", path: "temp", measured: "t", points };
  expect(shownPoints(line)).toBe(points);
  const calibration = { path: "temp", factor: -2, offset: 1 };
  expect(shownPoints({ ...line, calibration })[0]?.mean).toBe(-39);
});
