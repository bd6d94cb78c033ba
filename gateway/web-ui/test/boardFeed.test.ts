import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiProblem, type Api } from "../src/gateway/api";
import type { Tile } from "../src/pages/dashboards/api";
import { BoardFeed, type Contact } from "../src/pages/dashboards/boardFeed";
import { freshnessTime } from "../src/pages/dashboards/freshness";

const place = { x: 0, y: 0, w: 1, h: 1, sources: [], places: [] };
const tiles: Tile[] = [
  { id: "v", kind: "value", ...place },
  { id: "c", kind: "chart", ...place },
];

/** A gateway whose streams the test writes. */
class Gateway {
  readonly read: string[] = [];
  readonly contacts: Contact["state"][] = [];
  contact: Contact | undefined;
  dashboards = 0;
  streams = 0;
  refusal: ApiProblem | undefined;
  streamRefusal: ApiProblem | undefined;
  private stream: ReadableStreamDefaultController<Uint8Array> | undefined;

  readonly units: string[] = [];
  readonly shown: string[] = [];
  /** Milliseconds before each of the next answers. */
  readonly delays: number[] = [];
  readonly feed = new BoardFeed(
    {
      // The gateway's clock is an hour ahead.
      now: () => Date.now() + 3_600_000,
      json: (path: string) => {
        if (this.refusal !== undefined) return Promise.reject(this.refusal);
        const asked = new URLSearchParams(path.split("?")[1]).getAll("tile");
        this.read.push(asked.length === 0 ? "all" : asked.join());
        const units = asked.length === 0 ? { chosen: ["degF"], quantities: [] } : undefined;
        const contents = asked.map((tile) => ({ tile, sight: `request ${this.read.length}` }));
        const answer = { at: "", tiles: contents, units };
        return new Promise((resolve) =>
          setTimeout(() => resolve(answer), this.delays.shift() ?? 0),
        );
      },
      stream: (_path: string, signal: AbortSignal) => {
        // As a browser ends the body of an aborted request.
        signal.addEventListener("abort", () => this.stream?.error(signal.reason));
        const refusal = this.refusal ?? this.streamRefusal;
        if (refusal !== undefined) return Promise.reject(refusal);
        this.streams++;
        return Promise.resolve(
          new Response(new ReadableStream({ start: (stream) => void (this.stream = stream) })),
        );
      },
    } as unknown as Api,
    { id: "hall", tiles },
    {
      onContents: (contents) => this.shown.push(...contents.map(({ sight }) => sight)),
      onUnits: ({ chosen }) => void this.units.push(chosen.join()),
      onContact: (contact) => {
        this.contact = contact;
        this.contacts.push(contact.state);
      },
      onDashboard: () => void this.dashboards++,
    },
  );

  send(name: string, data: unknown): void {
    this.stream?.enqueue(
      new TextEncoder().encode(`event:${name}\ndata:${JSON.stringify(data)}\n\n`),
    );
  }

  end(): void {
    this.stream?.close();
  }
}

let gateway: Gateway;

beforeEach(() => {
  vi.useFakeTimers();
  gateway = new Gateway();
  gateway.feed.start();
});

afterEach(() => {
  gateway.feed.stop();
  vi.useRealTimers();
});

test("all tiles are read once, then the tiles that events name", async () => {
  await vi.advanceTimersByTimeAsync(100);
  expect(gateway.contacts).toEqual(["live"]);
  expect(gateway.units).toEqual(["degF"]);
  gateway.send("tiles", { tiles: ["v"] });
  await vi.advanceTimersByTimeAsync(100);
  expect(gateway.read).toEqual(["all", "v"]);
  const before = gateway.dashboards;
  gateway.send("dashboard", {});
  await vi.advanceTimersByTimeAsync(100);
  expect(gateway.dashboards).toBe(before + 1);
  expect(gateway.read).toEqual(["all", "v", "all"]);
});

test("the late answer to an earlier request does not replace a newer content", async () => {
  await vi.advanceTimersByTimeAsync(100);
  gateway.delays.push(500, 10);
  gateway.send("tiles", { tiles: ["v"] });
  await vi.advanceTimersByTimeAsync(100);
  gateway.send("tiles", { tiles: ["v"] });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(gateway.read).toEqual(["all", "v", "v"]);
  expect(gateway.shown).toEqual(["request 3"]);
});

test("a value does not wait for a chart, which is read less often", async () => {
  await vi.advanceTimersByTimeAsync(100);
  gateway.send("tiles", { tiles: ["v", "c"] });
  await vi.advanceTimersByTimeAsync(100);
  gateway.send("tiles", { tiles: ["v", "c"] });
  await vi.advanceTimersByTimeAsync(100);
  expect(gateway.read).toEqual(["all", "v", "v"]);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(gateway.read.slice(3)).toContain("all");
});

test("a stream that ends is opened again, and everything is read", async () => {
  await vi.advanceTimersByTimeAsync(100);
  gateway.end();
  await vi.advanceTimersByTimeAsync(1_500);
  expect(gateway.contacts).toEqual(["live", "lost", "live"]);
  expect(gateway.streams).toBe(2);
  expect(gateway.read).toEqual(["all", "all"]);
});

test("the dashboard is read again after each opening: it may have changed before", async () => {
  await vi.advanceTimersByTimeAsync(100);
  expect(gateway.dashboards).toBe(1);
  gateway.end();
  await vi.advanceTimersByTimeAsync(100);
  expect(gateway.dashboards).toBe(1);
  await vi.advanceTimersByTimeAsync(1_400);
  expect(gateway.streams).toBe(2);
  expect(gateway.dashboards).toBe(2);
});

test("a silent stream is dead", async () => {
  await vi.advanceTimersByTimeAsync(41_500);
  expect(gateway.contacts).toContain("lost");
  await vi.advanceTimersByTimeAsync(2_000);
  expect(gateway.streams).toBe(2);
});

test("a revoked link is reported, and tried again after a minute", async () => {
  await vi.advanceTimersByTimeAsync(100);
  gateway.refusal = new ApiProblem(401);
  gateway.end();
  await vi.advanceTimersByTimeAsync(1_500);
  expect(gateway.contacts.at(-1)).toBe("refused");
  gateway.refusal = undefined;
  await vi.advanceTimersByTimeAsync(61_000);
  expect(gateway.contacts.at(-1)).toBe("live");
});

test("without contact no time passes for the states of endpoints", async () => {
  await vi.advanceTimersByTimeAsync(100);
  const now = Date.now() + 3_600_000;
  expect(gateway.contact && freshnessTime(gateway.contact, now + 5_000)).toBe(now + 5_000);
  gateway.refusal = new ApiProblem(0);
  gateway.end();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(gateway.contact?.state).toBe("lost");
  expect(gateway.contact && freshnessTime(gateway.contact, now + 5_000)).toBe(now);
  gateway.refusal = new ApiProblem(401);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(gateway.contact?.state).toBe("refused");
  expect(gateway.contact && freshnessTime(gateway.contact, now + 35_000)).toBe(now);
});

test("without a stream, time passes with each reading of all tiles", async () => {
  await vi.advanceTimersByTimeAsync(100);
  const now = Date.now() + 3_600_000;
  gateway.streamRefusal = new ApiProblem(503);
  gateway.end();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(gateway.contact).toEqual({ state: "lost", since: now });
  await vi.advanceTimersByTimeAsync(30_000);
  const { contact } = gateway;
  expect(contact?.state).toBe("lost");
  expect(contact && freshnessTime(contact, 0)).toBeGreaterThan(now + 29_000);
  gateway.refusal = new ApiProblem(0);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(gateway.contact).toEqual(contact);
  gateway.refusal = gateway.streamRefusal = undefined;
  await vi.advanceTimersByTimeAsync(15_000);
  expect(gateway.contact).toEqual({ state: "live" });
});
