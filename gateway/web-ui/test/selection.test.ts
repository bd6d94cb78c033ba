import { describe, expect, test } from "vitest";
import type { ShownEndpoint } from "../src/gateway/endpointStore";
import type { Verification } from "../src/gateway/verification";
import { readEndpoint } from "../src/gateway/model";
import { needsAttention, otherKeyOf, pathOf, resourceAt } from "../src/gateway/selection";
import { changeTags, tagsInUse } from "../src/gateway/tags";
import { Api, ApiProblem } from "../src/gateway/api";
import { EVERYTHING, listOf } from "../src/pages/endpoints/list";

const NOW = Date.parse("2026-11-20T12:00:00Z");

function shown(changes: object = {}, verification: Verification = { state: "checking" }) {
  const endpoint = readEndpoint({
    id: "7",
    ep: "mote 1",
    d: "plant",
    trust: "trusted",
    keyThumbprint: "kid-1",
    heardAt: "2026-11-20T12:00:00Z",
    lateAt: "2026-11-20T12:00:07Z",
    missingAt: "2026-11-20T12:00:15Z",
    resources: [{ path: "a/temp", rt: "temperature", seq: 3, value: "1" }],
    ...changes,
  });
  const resources = endpoint.resources.map((resource) => ({
    resource,
    verification,
    series: [[], []] as const,
  }));
  const pin = { thumbprint: "kid-1", since: "2026-11-20T11:00:00Z" };
  return { endpoint, resources, pin } satisfies ShownEndpoint;
}

describe("an endpoint needs attention", () => {
  test("not while it is punctual, trusted and not refused", () => {
    expect(needsAttention(shown(), NOW)).toBe(false);
  });

  test("when it is late, not trusted, or one of its values is not verified", () => {
    expect(needsAttention(shown(), NOW + 60_000)).toBe(true);
    expect(needsAttention(shown({ trust: "pending" }), NOW)).toBe(true);
    expect(
      needsAttention(shown({}, { state: "unchecked", reason: { code: "unreachable" } }), NOW),
    ).toBe(true);
  });

  test("when the gateway lists another key than the remembered one", () => {
    const changed = shown({ keyThumbprint: "kid-2" });
    expect(otherKeyOf(changed)).toEqual({ thumbprint: "kid-2", signs: false });
    expect(needsAttention(changed, NOW)).toBe(true);
  });
});

describe("the list of endpoints", () => {
  const names = (query: object, ...endpoints: ShownEndpoint[]) =>
    listOf(endpoints, { ...EVERYTHING, ...query }, NOW).map(({ endpoint }) => endpoint.ep);

  test("is searched for words in names, places, domains and resources", () => {
    const one = shown({ label: { name: "Boiler", location: "cellar" } });
    for (const text of ["", "mote", "PLANT temp", "a/temp", "boil cellar"]) {
      expect(names({ text }, one)).toEqual(["mote 1"]);
    }
    expect(names({ text: "mote humidity" }, one)).toEqual([]);
  });

  test("is filtered by state, trust and domain", () => {
    const late = shown({ ep: "late", lateAt: "2026-11-20T11:59:59Z", trust: "pending", d: "" });
    expect(names({ freshness: "late" }, shown(), late)).toEqual(["late"]);
    expect(names({ freshness: "attention" }, shown(), late)).toEqual(["late"]);
    expect(names({ trust: "trusted" }, shown(), late)).toEqual(["mote 1"]);
    expect(names({ domain: "" }, shown(), late)).toEqual(["late"]);
  });

  test("is filtered by tags, all of which an endpoint must have", () => {
    const boiler = shown({ ep: "boiler", tags: ["building-3", "kind:boiler"] });
    const pump = shown({ ep: "pump", tags: ["building-3"] });
    expect(names({ tags: ["building-3"] }, shown(), boiler, pump)).toEqual(["boiler", "pump"]);
    expect(names({ tags: ["kind:boiler", "building-3"] }, boiler, pump)).toEqual(["boiler"]);
    expect(names({ tags: ["building"] }, boiler, pump)).toEqual([]);
    expect(names({ text: "KIND:boil" }, boiler, pump)).toEqual(["boiler"]);
    expect(tagsInUse([boiler, pump, shown()])).toEqual(["building-3", "kind:boiler"]);
  });

  test("is sorted by the name that people gave, and by age", () => {
    const named = shown({ ep: "z", label: { name: "Attic" }, heardAt: "2026-11-20T11:00:00Z" });
    expect(names({}, shown(), named)).toEqual(["z", "mote 1"]);
    expect(names({ column: "heard" }, named, shown())).toEqual(["mote 1", "z"]);
    expect(names({ column: "heard", descending: true }, shown(), named)).toEqual(["z", "mote 1"]);
  });
});

test("the address of a resource leads back to it", () => {
  for (const path of ["a/temp", "3303/0/5700", "a%20b", "50%25", "ä"]) {
    const one = shown({ resources: [{ path, seq: 1 }] });
    const address = pathOf(one.endpoint, path);
    expect(address.startsWith("/endpoints/7/")).toBe(true);
    const rest = decodeURI(address).replace("/endpoints/7/", "");
    expect(resourceAt(one, rest)?.resource.path).toBe(path);
  }
  expect(resourceAt(shown(), "other")).toBeUndefined();
  expect(resourceAt(shown(), undefined)).toBeUndefined();
});

test("a change of many endpoints' tags reports the endpoints that were not refused", async () => {
  const asked: unknown[] = [];
  const api = new Api("http://gateway/", async (_url, init) => {
    asked.push(JSON.parse(String(init?.body)));
    const refused = { endpoint: "b", status: 403, type: "/problems/forbidden", detail: "no" };
    return Response.json({ selected: 2, changed: 1, refused: asked.length === 1 ? [refused] : [] });
  });
  const ids = ["a", "b", ...Array.from({ length: 99 }, (_, at) => `c${at}`)];
  const done: string[] = [];
  const change = { add: ["x"], remove: [] };
  const all = ids.map((id) => ({ id }));
  const problem = await changeTags(api, all, change, (id) => done.push(id)).catch(
    (e: unknown) => e,
  );
  expect(problem).toBeInstanceOf(ApiProblem);
  expect((problem as ApiProblem).type).toBe("forbidden");
  expect(asked).toHaveLength(2);
  expect(asked[1]).toEqual({ ids: ["c98"], add: ["x"], remove: [] });
  expect(done).toEqual(ids.filter((id) => id !== "b"));
});
