import { expect, test } from "vitest";
import { domainOf, trailPath } from "../src/pages/audit/api";
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

test("the name of an endpoint is searched in a domain of the account", () => {
  const filter = { text: "", ep: " pump ", d: "-" };
  expect(domainOf(filter, [])).toBe("-");
  expect(domainOf(filter, ["lab"])).toBe("lab");
  expect(domainOf(filter, ["-", "lab"])).toBe("-");
  expect(domainOf({ ...filter, d: "lab" }, ["-", "lab"])).toBe("lab");
  expect(trailPath({ ...filter, d: "lab" }, 7)).toBe("api/audit?ep=pump&d=lab&before=7");
  // Without a name, the domains make no other request.
  expect(trailPath({ ...filter, ep: "", d: "lab" })).toBe("api/audit?");
});
