import { describe, expect, test } from "vitest";
import { Pins } from "../src/verify/pins";
import type { Claim, Original, Verdict } from "../src/verify/verify";
import { EndpointStore } from "../src/gateway/endpointStore";
import type { ShownResource } from "../src/gateway/verification";
import { readEndpoint, type Endpoint, type Resource } from "../src/gateway/model";
import type { Unchecked } from "../src/gateway/verifier";

type Request = { resource: Resource; known: Pick<Claim, "pinned" | "highest"> };

/** A store whose verifier and timer complete when the test decides. */
class Harness {
  readonly requests: (Request & { answer: (verdict: Verdict | Unchecked) => void })[] = [];
  private readonly waits: { milliseconds: number; done: () => void }[] = [];
  readonly stored = new Map<string, string>();
  readonly pins = new Pins(
    {
      getItem: (item) => this.stored.get(item) ?? null,
      setItem: (item, text) => void this.stored.set(item, text),
    },
    () => new Date("2026-11-20T12:00:00Z"),
  );
  readonly store = new EndpointStore(
    {
      verify: (resource, known) =>
        new Promise((answer) => void this.requests.push({ resource, known, answer })),
    },
    this.pins,
    {
      now: () => 1000,
      after: (milliseconds) => new Promise((done) => void this.waits.push({ milliseconds, done })),
    },
  );

  /** Runs all pending microtasks. */
  async settle(): Promise<void> {
    for (let n = 0; n < 50; n++) await Promise.resolve();
  }

  async receive(endpoint: Endpoint): Promise<void> {
    if (this.store.getSnapshot().endpoints.length === 0) this.store.watch(endpoint.id);
    this.store.onEndpoint(endpoint);
    await this.settle();
  }

  async answer(verdict: Verdict | Unchecked): Promise<void> {
    const request = this.requests.shift();
    if (request === undefined) throw new Error("nothing is being verified");
    request.answer(verdict);
    await this.settle();
  }

  async elapse(): Promise<void> {
    for (const wait of this.waits.splice(0)) wait.done();
    await this.settle();
  }

  get shown(): ShownResource {
    const found = this.store.getSnapshot().endpoints[0]?.resources[0];
    if (found === undefined) throw new Error("nothing is shown");
    return found;
  }
}

function endpoint(seq: number, changes: object = {}): Endpoint {
  const value = String(seq / 100);
  const arrivedAt = new Date(seq * 1000).toISOString();
  const resource = { path: "load", rt: "load", unit: "/", value, seq, arrivedAt };
  return readEndpoint({ id: "7", ep: "mote-1", d: "", resources: [resource], ...changes });
}

function verified(kid = "kid-1"): Verdict {
  return { state: "verified", original: { header: { kid } } as Original };
}

describe("the endpoint store", () => {
  test("shows a value together with its verdict", async () => {
    const harness = new Harness();
    await harness.receive(endpoint(12));
    expect(harness.shown.resource.value).toBeUndefined();
    await harness.answer(verified());
    expect(harness.shown).toMatchObject({
      resource: { seq: 12 },
      verification: { state: "verified" },
    });
    await harness.receive(endpoint(13));
    expect(harness.shown).toMatchObject({
      resource: { seq: 12 },
      verification: { state: "verified" },
    });
  });

  test("shows a value as being checked when its verdict is slow", async () => {
    const harness = new Harness();
    await harness.receive(endpoint(12));
    await harness.elapse();
    expect(harness.shown).toMatchObject({
      resource: { seq: 12 },
      verification: { state: "checking" },
    });
  });

  test("verifies a reading once when it is announced again", async () => {
    const harness = new Harness();
    await harness.receive(endpoint(12));
    await harness.receive(endpoint(12));
    await harness.answer(verified());
    await harness.receive(endpoint(12));
    expect(harness.requests).toHaveLength(0);
  });

  test("skips readings that became outdated during a verification", async () => {
    const harness = new Harness();
    await harness.receive(endpoint(12));
    await harness.receive(endpoint(13));
    await harness.receive(endpoint(14));
    await harness.answer(verified());
    expect(harness.requests.map(({ resource }) => resource.seq)).toEqual([14]);
  });

  test("waits for the event of a reading that the mirror already has", async () => {
    const harness = new Harness();
    await harness.receive(endpoint(12));
    await harness.receive(endpoint(13));
    await harness.answer({ state: "superseded", seq: 13 });
    expect(harness.requests.map(({ resource }) => resource.seq)).toEqual([13]);
    await harness.answer({ state: "superseded", seq: 14 });
    await harness.receive(endpoint(14));
    expect(harness.requests.map(({ resource }) => resource.seq)).toEqual([14]);
    await harness.answer(verified());
    expect(harness.shown).toMatchObject({
      resource: { seq: 14 },
      verification: { state: "verified" },
    });
  });

  test("reports when that event never arrives", async () => {
    const harness = new Harness();
    await harness.receive(endpoint(12));
    await harness.answer({ state: "superseded", seq: 13 });
    await harness.elapse();
    await harness.answer({ state: "superseded", seq: 13 });
    expect(harness.shown.verification).toEqual({
      state: "unchecked",
      reason: { code: "ahead", has: 13, announced: 12 },
    });
  });

  test("remembers a key only after a full verification", async () => {
    const harness = new Harness();
    await harness.receive(endpoint(12));
    await harness.answer({
      state: "refused",
      failed: "value",
      reason: { code: "no-value" },
      original: undefined,
    });
    expect(harness.stored.size).toBe(0);
    await harness.receive(endpoint(13));
    await harness.answer(verified("kid-1"));
    expect(harness.store.getSnapshot().endpoints[0]?.pin?.thumbprint).toBe("kid-1");
    await harness.receive(endpoint(14));
    expect(harness.requests[0]?.known).toEqual({ pinned: "kid-1", highest: 13 });
  });

  test("pins only one of two keys that are verified first together", async () => {
    const harness = new Harness();
    const [load] = endpoint(12).resources;
    const resources = [load, { ...load, path: "temp" } as Resource].map(plain);
    const both = endpoint(12, { resources });
    await harness.receive(both);
    await harness.answer(verified("kid-1"));
    await harness.answer(verified("kid-2"));
    expect(harness.requests.map(({ known }) => known.pinned)).toEqual(["kid-1"]);
  });

  test("verifies again with the key that the operator accepts", async () => {
    const harness = new Harness();
    harness.pins.first('["","mote-1"]', "kid-0");
    await harness.receive(endpoint(12));
    await harness.answer({
      state: "refused",
      failed: "pin",
      reason: { code: "pin" },
      original: undefined,
    });
    harness.store.acceptKey(endpoint(12), "kid-1");
    await harness.settle();
    expect(harness.requests[0]?.known.pinned).toBe("kid-1");
    await harness.answer(verified());
    expect(harness.shown.verification.state).toBe("verified");
  });

  test("verifies unchecked values again once the connection is live", async () => {
    const harness = new Harness();
    await harness.receive(endpoint(12));
    await harness.answer({ state: "unchecked", reason: { code: "unreachable" } });
    harness.store.onConnection("live");
    await harness.settle();
    await harness.answer(verified());
    expect(harness.shown.verification.state).toBe("verified");
  });

  test("forgets endpoints that left the list without an event", async () => {
    const harness = new Harness();
    await harness.receive(endpoint(12));
    await harness.receive(endpoint(12, { id: "8", ep: "mote-2" }));
    harness.store.onAll([], new Set(["8"]));
    await harness.settle();
    expect(harness.store.getSnapshot().endpoints.map((shown) => shown.endpoint.id)).toEqual(["8"]);
  });

  test("forgets an endpoint that is gone", async () => {
    const harness = new Harness();
    await harness.receive(endpoint(12));
    await harness.receive(endpoint(12, { id: "8", ep: "mote-2" }));
    harness.store.onGone("8");
    await harness.settle();
    expect(harness.store.getSnapshot().endpoints.map((shown) => shown.endpoint.id)).toEqual(["7"]);
  });

  test("keeps the time when the connection broke until it is back", () => {
    const harness = new Harness();
    const moments = (["live", "reconnecting", "connecting", "live"] as const).map((connection) => {
      harness.store.onConnection(connection);
      return harness.store.getSnapshot().frozenAt;
    });
    expect(moments).toEqual([undefined, 1000, 1000, undefined]);
  });

  test("keeps a series of numbers without repeats", async () => {
    const harness = new Harness();
    for (const seq of [12, 13, 13, 14]) {
      await harness.receive(endpoint(seq));
      if (harness.requests.length > 0) await harness.answer(verified());
    }
    expect(harness.shown.series).toEqual([
      [12, 13, 14],
      [0.12, 0.13, 0.14],
    ]);
  });
});

/** The JSON of the gateway. */
function plain(resource: Resource | undefined): object {
  return { ...resource, arrivedAt: new Date(resource?.arrivedAt ?? 0).toISOString() };
}

describe("pins", () => {
  const now = () => new Date("2026-11-20T12:00:00Z");

  test("survive the page and are not replaced by a first use", () => {
    const { stored, pins } = new Harness();
    pins.first("a", "kid-1");
    const storage = { getItem: (item: string) => stored.get(item) ?? null, setItem: () => {} };
    const later = new Pins(storage, now);
    later.first("a", "kid-2");
    expect(later.get("a")).toEqual({ thumbprint: "kid-1", since: "2026-11-20T12:00:00.000Z" });
  });

  test("of another tab are seen by a first use", () => {
    const { stored, pins } = new Harness();
    expect(pins.get("a")).toBeUndefined();
    const storage = {
      getItem: (item: string) => stored.get(item) ?? null,
      setItem: (item: string, text: string) => void stored.set(item, text),
    };
    new Pins(storage, now).first("a", "kid-2");
    pins.first("a", "kid-1");
    expect(pins.get("a")?.thumbprint).toBe("kid-2");
  });

  test("of the item that had all of them are kept", () => {
    const pin = { thumbprint: "kid-1", since: "2026-01-01T00:00:00Z" };
    const stored = new Map([["vigil.pins.v1", JSON.stringify({ a: pin, b: { thumbprint: 1 } })]]);
    const storage = {
      getItem: (item: string) => stored.get(item) ?? null,
      setItem: (item: string, text: string) => void stored.set(item, text),
    };
    new Pins(storage, now).first("a", "kid-2");
    const later = new Pins(storage, now);
    expect(later.get("a")).toEqual(pin);
    expect(later.get("b")).toBeUndefined();
    later.replace("a", "kid-3");
    expect(new Pins(storage, now).get("a")?.thumbprint).toBe("kid-3");
  });

  test("last as long as the page without storage", () => {
    const refuse = () => {
      throw new Error("SecurityError");
    };
    const pins = new Pins({ getItem: refuse, setItem: refuse }, now);
    pins.first("a", "kid-1");
    expect(pins.get("a")?.thumbprint).toBe("kid-1");
    expect(pins.areDurable).toBe(false);
  });

  test("that are malformed are ignored", () => {
    for (const text of ["", "[", "null", '{"a":1}', '{"a":{"thumbprint":1}}']) {
      expect(new Pins({ getItem: () => text, setItem: () => {} }, now).get("a")).toBeUndefined();
    }
  });
});

describe("an endpoint that nobody watches", () => {
  test("shows its values without verifying them", async () => {
    const harness = new Harness();
    harness.store.onAll([endpoint(12)], new Set());
    await harness.settle();
    expect(harness.requests).toHaveLength(0);
    expect(harness.shown).toMatchObject({
      resource: { seq: 12, value: "0.12" },
      verification: { state: "checking" },
    });
  });

  test("is verified only while it is watched", async () => {
    const harness = new Harness();
    harness.store.onAll([endpoint(12)], new Set());
    const unwatch = harness.store.watch("7");
    await harness.settle();
    await harness.answer(verified());
    expect(harness.shown.verification.state).toBe("verified");
    unwatch();
    harness.store.onEndpoint(endpoint(13));
    await harness.settle();
    expect(harness.requests).toHaveLength(0);
    expect(harness.shown).toMatchObject({
      resource: { seq: 13 },
      verification: { state: "checking" },
    });
  });
});

test("updates are counted, except updates that only the list contained", async () => {
  const harness = new Harness();
  harness.store.onAll([endpoint(12)], new Set());
  harness.store.onEndpoint(endpoint(13));
  harness.store.onEndpoint(endpoint(13));
  expect(harness.store.rate.last(60, 2000)).toEqual([1]);
});

test("an unchanged list renders nothing again", async () => {
  const harness = new Harness();
  const list = (...some: Endpoint[]) =>
    harness.store.onAll(
      some.map((one) => harness.store.known(one)),
      new Set(),
    );
  list(endpoint(12, { rejections: { replay: 1 } }));
  await harness.settle();
  const [before] = harness.store.getSnapshot().endpoints;
  list(endpoint(12, { rejections: { replay: 1 } }));
  await harness.settle();
  expect(harness.store.getSnapshot().endpoints[0]).toBe(before);
  list(endpoint(12, { rejections: { replay: 2 } }));
  await harness.settle();
  expect(harness.store.getSnapshot().endpoints[0]?.endpoint.rejections.get("replay")).toBe(2);
});
