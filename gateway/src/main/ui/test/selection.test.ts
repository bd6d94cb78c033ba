import { describe, expect, test } from "vitest";
import type { ShownEndpoint, Verification } from "../src/gateway/endpointStore";
import { readEndpoint } from "../src/gateway/model";
import {
  addressOf,
  matches,
  needsAttention,
  otherKeyOf,
  resourceAt,
} from "../src/gateway/selection";

const NOW = Date.parse("2026-11-20T12:00:00Z");

function shown(changes: object = {}, verification: Verification = { state: "checking" }) {
  const endpoint = readEndpoint({
    id: "7",
    ep: "mote 1",
    d: "plant",
    trust: "trusted",
    keyThumbprint: "kid-1",
    heardAt: "2026-11-20T12:00:00Z",
    wakeSeconds: 5,
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
    expect(needsAttention(shown({}, { state: "unchecked", reason: "" }), NOW)).toBe(true);
  });

  test("when the gateway lists another key than the remembered one", () => {
    const changed = shown({ keyThumbprint: "kid-2" });
    expect(otherKeyOf(changed)).toEqual({ thumbprint: "kid-2", signs: false });
    expect(needsAttention(changed, NOW)).toBe(true);
  });
});

test("a filter matches names, domains and resources", () => {
  for (const filter of ["", "mote", "PLANT temp", "a/temp"]) {
    expect(matches(shown(), filter)).toBe(true);
  }
  expect(matches(shown(), "mote humidity")).toBe(false);
});

test("the address of a resource leads back to it", () => {
  const one = shown();
  const address = addressOf(one.endpoint, "a/temp");
  expect(address).toBe("#/endpoints/7/a%2Ftemp");
  expect(resourceAt([one], address)?.[1].resource.path).toBe("a/temp");
  expect(resourceAt([one], "#/endpoints/7/other")).toBeUndefined();
});
