import { expect, test } from "vitest";
import { FIRST, keyOf, pathOf, readCosts } from "../src/pages/cost/api";

const CONFIGURATION = {
  level: 6,
  transport: "ccm8",
  signed: true,
  meets: [],
  octets: 90,
  frames: 1,
  fragments: 1,
  microjoules: 200.5,
  moteMicrojoules: 200.5,
  latencySeconds: 0.012,
  batteryDays: 900,
  alwaysOnDays: 4.2,
};

test("costs are read with their curves", () => {
  const read = readCosts({
    chosen: CONFIGURATION,
    configurations: [CONFIGURATION],
    byPayload: [{ payload: 8, plainMicrojoules: 1, chosenMicrojoules: 2 }],
    byWake: [{ seconds: 60, plainDays: 30, chosenDays: 20 }],
  });
  expect(read.cheapest).toBeUndefined();
  expect(read.byPayload).toEqual([[8], [1], [2]]);
  expect(read.byWake).toEqual([[60], [30], [20]]);
  expect(keyOf(read.chosen)).toBe("6 ccm8 true");
});

test("a question names each need, and leaves out what is empty", () => {
  const path = pathOf({
    ...FIRST,
    payload: " ",
    needs: ["authentic-on-air", "authentic-to-anybody"],
  });
  expect(path).toContain("need=authentic-on-air%2Cauthentic-to-anybody");
  expect(path).not.toContain("payload");
});
