import { describe, expect, test } from "vitest";
import { Pins } from "../src/verify/pins";
import type { Claim, Original, Verdict } from "../src/verify/verify";
import { Board, type ShownResource } from "../src/watch/board";
import { readEndpoint, type Endpoint, type Resource } from "../src/watch/model";
import type { Unchecked } from "../src/watch/verifier";

type Look = { resource: Resource; known: Pick<Claim, "pinned" | "highest"> };

/** A board whose verifier answers when the test says so, and whose clock stands still. */
class Desk {
  readonly looks: (Look & { answer: (verdict: Verdict | Unchecked) => void })[] = [];
  private readonly waits: { milliseconds: number; over: () => void }[] = [];
  readonly kept = new Map<string, string>();
  readonly pins = new Pins(
    {
      getItem: (item) => this.kept.get(item) ?? null,
      setItem: (item, text) => void this.kept.set(item, text),
    },
    () => new Date("2026-11-20T12:00:00Z"),
  );
  readonly board = new Board(
    {
      verify: (resource, known) =>
        new Promise((answer) => void this.looks.push({ resource, known, answer })),
    },
    this.pins,
    {
      now: () => 1000,
      after: (milliseconds) => new Promise((over) => void this.waits.push({ milliseconds, over })),
    },
  );

  /** Lets everything run that waits for nothing else. */
  async settle(): Promise<void> {
    for (let n = 0; n < 50; n++) await Promise.resolve();
  }

  async hear(endpoint: Endpoint): Promise<void> {
    this.board.onEndpoint(endpoint);
    await this.settle();
  }

  async answer(verdict: Verdict | Unchecked): Promise<void> {
    const look = this.looks.shift();
    if (look === undefined) throw new Error("nothing is being looked at");
    look.answer(verdict);
    await this.settle();
  }

  async pass(): Promise<void> {
    for (const wait of this.waits.splice(0)) wait.over();
    await this.settle();
  }

  get shown(): ShownResource {
    const found = this.board.getSnapshot().endpoints[0]?.resources[0];
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

describe("the board", () => {
  test("shows a value together with its verdict", async () => {
    const desk = new Desk();
    await desk.hear(endpoint(12));
    expect(desk.shown.resource.value).toBeUndefined();
    await desk.answer(verified());
    expect(desk.shown).toMatchObject({ resource: { seq: 12 }, judgement: { state: "verified" } });
    await desk.hear(endpoint(13));
    expect(desk.shown).toMatchObject({ resource: { seq: 12 }, judgement: { state: "verified" } });
  });

  test("shows a value as being checked when its verdict is slow", async () => {
    const desk = new Desk();
    await desk.hear(endpoint(12));
    await desk.pass();
    expect(desk.shown).toMatchObject({ resource: { seq: 12 }, judgement: { state: "checking" } });
  });

  test("looks once at a reading that is announced again", async () => {
    const desk = new Desk();
    await desk.hear(endpoint(12));
    await desk.hear(endpoint(12));
    await desk.answer(verified());
    await desk.hear(endpoint(12));
    expect(desk.looks).toHaveLength(0);
  });

  test("skips readings that were overtaken while it looked", async () => {
    const desk = new Desk();
    await desk.hear(endpoint(12));
    await desk.hear(endpoint(13));
    await desk.hear(endpoint(14));
    await desk.answer(verified());
    expect(desk.looks.map(({ resource }) => resource.seq)).toEqual([14]);
  });

  test("waits for the page to catch up with the mirror, without delay when it has", async () => {
    const desk = new Desk();
    await desk.hear(endpoint(12));
    await desk.hear(endpoint(13));
    await desk.answer({ state: "outrun", seq: 13 });
    expect(desk.looks.map(({ resource }) => resource.seq)).toEqual([13]);
    await desk.answer({ state: "outrun", seq: 14 });
    await desk.hear(endpoint(14));
    expect(desk.looks.map(({ resource }) => resource.seq)).toEqual([14]);
    await desk.answer(verified());
    expect(desk.shown).toMatchObject({ resource: { seq: 14 }, judgement: { state: "verified" } });
  });

  test("says so when the page never catches up", async () => {
    const desk = new Desk();
    await desk.hear(endpoint(12));
    await desk.answer({ state: "outrun", seq: 13 });
    await desk.pass();
    await desk.answer({ state: "outrun", seq: 13 });
    expect(desk.shown.judgement).toMatchObject({ state: "unchecked" });
  });

  test("remembers a key only after a full verification", async () => {
    const desk = new Desk();
    await desk.hear(endpoint(12));
    await desk.answer({ state: "refused", failed: "value", reason: "", original: undefined });
    expect(desk.kept.size).toBe(0);
    await desk.hear(endpoint(13));
    await desk.answer(verified("kid-1"));
    expect(desk.board.getSnapshot().endpoints[0]?.pin?.thumbprint).toBe("kid-1");
    await desk.hear(endpoint(14));
    expect(desk.looks[0]?.known).toEqual({ pinned: "kid-1", highest: 13 });
  });

  test("takes only one of two keys that come first at the same time", async () => {
    const desk = new Desk();
    const [load] = endpoint(12).resources;
    const resources = [load, { ...load, path: "temp" } as Resource].map(plain);
    const both = endpoint(12, { resources });
    await desk.hear(both);
    await desk.answer(verified("kid-1"));
    await desk.answer(verified("kid-2"));
    expect(desk.looks.map(({ known }) => known.pinned)).toEqual(["kid-1"]);
  });

  test("judges again with the key that the operator accepts", async () => {
    const desk = new Desk();
    desk.pins.first('["","mote-1"]', "kid-0");
    await desk.hear(endpoint(12));
    await desk.answer({ state: "refused", failed: "pin", reason: "", original: undefined });
    desk.board.acceptKey(endpoint(12), "kid-1");
    await desk.settle();
    expect(desk.looks[0]?.known.pinned).toBe("kid-1");
    await desk.answer(verified());
    expect(desk.shown.judgement.state).toBe("verified");
  });

  test("looks again, once it is live, at what could not be checked", async () => {
    const desk = new Desk();
    await desk.hear(endpoint(12));
    await desk.answer({ state: "unchecked", reason: "offline" });
    desk.board.onConnection("live");
    await desk.settle();
    await desk.answer(verified());
    expect(desk.shown.judgement.state).toBe("verified");
  });

  test("forgets endpoints that the list no longer has, but not those that spoke meanwhile", async () => {
    const desk = new Desk();
    await desk.hear(endpoint(12));
    await desk.hear(endpoint(12, { id: "8", ep: "mote-2" }));
    desk.board.onAll([], new Set(["8"]));
    await desk.settle();
    expect(desk.board.getSnapshot().endpoints.map((shown) => shown.endpoint.id)).toEqual(["8"]);
  });

  test("forgets an endpoint that is gone", async () => {
    const desk = new Desk();
    await desk.hear(endpoint(12));
    await desk.hear(endpoint(12, { id: "8", ep: "mote-2" }));
    desk.board.onGone("8");
    await desk.settle();
    expect(desk.board.getSnapshot().endpoints.map((shown) => shown.endpoint.id)).toEqual(["7"]);
  });

  test("keeps the moment when the connection broke until it is back", () => {
    const desk = new Desk();
    const moments = (["live", "reconnecting", "connecting", "live"] as const).map((connection) => {
      desk.board.onConnection(connection);
      return desk.board.getSnapshot().frozenAt;
    });
    expect(moments).toEqual([undefined, 1000, 1000, undefined]);
  });

  test("keeps the course of numbers, once each", async () => {
    const desk = new Desk();
    for (const seq of [12, 13, 13, 14]) {
      await desk.hear(endpoint(seq));
      if (desk.looks.length > 0) await desk.answer(verified());
    }
    expect(desk.shown.series).toEqual([
      [12, 13, 14],
      [0.12, 0.13, 0.14],
    ]);
  });
});

/** As the gateway writes it. */
function plain(resource: Resource | undefined): object {
  return { ...resource, arrivedAt: new Date(resource?.arrivedAt ?? 0).toISOString() };
}

describe("pins", () => {
  const now = () => new Date("2026-11-20T12:00:00Z");

  test("outlive the page, and a first use does not replace them", () => {
    const { kept, pins } = new Desk();
    pins.first("a", "kid-1");
    const storage = { getItem: (item: string) => kept.get(item) ?? null, setItem: () => {} };
    const later = new Pins(storage, now);
    later.first("a", "kid-2");
    expect(later.get("a")).toEqual({ thumbprint: "kid-1", since: "2026-11-20T12:00:00.000Z" });
  });

  test("last as long as the page where the browser keeps nothing", () => {
    const refuse = () => {
      throw new Error("SecurityError");
    };
    const pins = new Pins({ getItem: refuse, setItem: refuse }, now);
    pins.first("a", "kid-1");
    expect(pins.get("a")?.thumbprint).toBe("kid-1");
    expect(pins.areDurable).toBe(false);
  });

  test("that cannot be read are none", () => {
    for (const text of ["", "[", "null", '{"a":1}', '{"a":{"thumbprint":1}}']) {
      expect(new Pins({ getItem: () => text, setItem: () => {} }, now).get("a")).toBeUndefined();
    }
  });
});
