import { expect, test } from "vitest";
import { changedQuery, partsOf } from "../src/hooks/router";
import { zoomOf } from "../src/pages/endpoint/historyApi";
import { EVERYTHING, parametersOf, queryOf } from "../src/pages/endpoints/list";

test("a fragment has a page and a query, and encoded letters stay in their part", () => {
  expect(partsOf("")).toEqual({ path: "/", query: "" });
  expect(partsOf("#/endpoints")).toEqual({ path: "/endpoints", query: "" });
  expect(partsOf("#endpoints/7/a%3Fb?span=day&x=?")).toEqual({
    path: "/endpoints/7/a%3Fb",
    query: "span=day&x=?",
  });
});

test("a changed query keeps the other parameters", () => {
  expect(changedQuery("a=1&b=2", { a: undefined, c: "x y" })).toBe("b=2&c=x+y");
  expect(changedQuery("a=1", { a: undefined })).toBe("");
});

test("the query of the list comes back from its parameters", () => {
  const query = {
    ...EVERYTHING,
    text: "pump & valve",
    freshness: "attention",
    trust: "pending",
    domain: "",
    tags: ["building-3", "kind:boiler"],
    column: "heard",
    descending: true,
  } as const;
  expect(queryOf(new URLSearchParams(changedQuery("", parametersOf(query))))).toEqual(query);
  expect(changedQuery("", parametersOf(EVERYTHING))).toBe("");
  expect(queryOf(new URLSearchParams("state=odd&trust=x&sort=-y"))).toEqual({
    ...EVERYTHING,
    descending: true,
  });
});

test("a zoomed span is read from an address unless it is none", () => {
  expect(zoomOf(new URLSearchParams("from=1000&to=2000"))).toEqual({ from: 1000, to: 2000 });
  for (const none of ["", "from=5", "from=2000&to=1000", "from=x&to=9", "from=1&to=Infinity"]) {
    expect(zoomOf(new URLSearchParams(none))).toBeUndefined();
  }
});
