import { describe, expect, test } from "vitest";
import { readEndpoint, type Control } from "../src/gateway/model";
import { commandValue, initialValue, positions, UNKNOWN } from "../src/pages/endpoint/control";

const LEVEL: Control = {
  ...UNKNOWN,
  kind: "number",
  declared: true,
  minimum: -1,
  maximum: 2,
  multipleOf: 0.1,
};
const FAN: Control = { ...UNKNOWN, kind: "switch", values: [0, 1] };
const MODE: Control = { ...UNKNOWN, kind: "choice", values: ["auto", 2] };

function read(control: unknown): Control | undefined {
  return readEndpoint({ id: "1", resources: [{ path: "x", control }] }).resources[0]?.control;
}

describe("the control of a resource", () => {
  test("is read with its limits", () => {
    const wire = { kind: "number", declared: true, minimum: -1, maximum: 2, multipleOf: 0.1 };
    expect(read(wire)).toEqual(LEVEL);
    expect(read(undefined)).toEqual(UNKNOWN);
    expect(read({ kind: "knob" })).toEqual(UNKNOWN);
    expect(read({ kind: "choice", values: ["auto", 2, {}] })).toEqual(MODE);
  });

  test("turns typed texts into values, or says what is wrong", () => {
    expect(commandValue(LEVEL, "0,3")).toEqual({ value: 0.3 });
    expect(commandValue(LEVEL, "-1")).toEqual({ value: -1 });
    expect(commandValue(LEVEL, "-1.1")).toEqual({ fault: "minimum" });
    expect(commandValue(LEVEL, "2.1")).toEqual({ fault: "maximum" });
    expect(commandValue(LEVEL, "0.25")).toEqual({ fault: "multiple" });
    expect(commandValue(LEVEL, "much")).toEqual({ fault: "number" });
    expect(commandValue(LEVEL, " ")).toEqual({ fault: "missing" });
    expect(commandValue(FAN, "1")).toEqual({ value: 1 });
    expect(commandValue(FAN, "2")).toEqual({ fault: "choice" });
    expect(commandValue(MODE, "2")).toEqual({ value: 2 });
    expect(commandValue({ ...UNKNOWN, kind: "text" }, "7")).toEqual({ value: "7" });
    expect(commandValue(UNKNOWN, "true")).toEqual({ value: true });
  });

  test("begins with the last value if that is possible", () => {
    expect(initialValue(FAN, "1")).toBe("1");
    expect(initialValue(LEVEL, "5")).toBe("");
    expect(initialValue(LEVEL, undefined)).toBe("");
    expect(initialValue(UNKNOWN, "1")).toBe("");
  });
});

describe("a slider", () => {
  test("has a position for each multiple between the limits", () => {
    const slider = positions({ ...LEVEL, minimum: -0.95 });
    expect(slider?.count).toBe(30);
    expect([0, 1, 12, 29].map((at) => slider?.at(at))).toEqual(["-0.9", "-0.8", "0.3", "2"]);
    expect([-9, 0.3, 9].map((value) => slider?.of(value))).toEqual([0, 12, 29]);
  });

  test("without a step has about a hundred positions", () => {
    const slider = positions({ ...LEVEL, minimum: 0.01, maximum: 60, multipleOf: undefined });
    expect(slider?.count).toBe(600);
    expect(slider?.at(1)).toBe("0.11");
  });

  test("needs both limits, and not too many positions", () => {
    expect(positions({ ...LEVEL, maximum: undefined })).toBeUndefined();
    expect(positions({ ...LEVEL, multipleOf: 0.0001 })).toBeUndefined();
    expect(positions({ ...LEVEL, multipleOf: 10 })).toBeUndefined();
  });
});
