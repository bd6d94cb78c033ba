import { beforeEach, expect, test } from "vitest";
import {
  chooseUnit,
  conversionOf,
  displayUnits,
  loadUnits,
  setGatewayUnits,
  unitsInForce,
  type Quantity,
} from "../src/text/displayUnits";
import { readable } from "../src/text/format";

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
