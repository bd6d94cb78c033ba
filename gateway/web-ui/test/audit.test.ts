import { expect, test } from "vitest";
import { changesOf } from "../src/pages/audit/changes";

test("an edit shows the members that differ, nested ones too", () => {
  expect(
    changesOf(
      { name: "Hot", limits: { above: 1, unit: "V" }, roles: ["a"] },
      { name: "Hot", limits: { above: 2 }, roles: ["a", "b"] },
    ),
  ).toEqual([
    { member: "limits.above", before: "1", after: "2" },
    { member: "limits.unit", before: "V", after: undefined },
    { member: "roles", before: "a", after: "a, b" },
  ]);
  expect(changesOf(undefined, { a: null, b: true })).toEqual([
    { member: "b", before: undefined, after: "true" },
  ]);
});
