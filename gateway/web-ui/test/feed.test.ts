import { expect, test } from "vitest";
import { Api } from "../src/gateway/api";
import { Feed, type Connection, type FeedListener } from "../src/gateway/feed";
import type { Endpoint } from "../src/gateway/model";

/** The part of an EventSource that the feed uses. */
class Stream extends EventTarget {
  readyState = 1;

  send(type: string, data: unknown): void {
    this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data) }));
  }

  close(): void {
    this.readyState = 2;
  }
}

class Listener implements FeedListener {
  readonly lists: string[][] = [];
  readonly changed: string[] = [];
  readonly gone: string[] = [];

  onConnection(_connection: Connection): void {}

  onAll(endpoints: Endpoint[]): void {
    this.lists.push(endpoints.map(({ id }) => id));
  }

  onEndpoint({ id }: Endpoint): void {
    this.changed.push(id);
  }

  onGone(id: string): void {
    this.gone.push(id);
  }
}

/** A gateway with a fixed JSON answer for each path. */
function gateway(answers: Record<string, unknown>): Api {
  return new Api("http://gateway/", (path) => {
    const { pathname, search } = new URL(String(path));
    return Promise.resolve(Response.json(answers[pathname + search]));
  });
}

test("the list is read to its last listener", async () => {
  const listener = new Listener();
  const api = gateway({
    "/api/endpoints": { endpoints: [{ id: "1" }, { id: "2" }], next: "a b" },
    "/api/endpoints?after=a%20b": { endpoints: [{ id: "3" }] },
  });
  const feed = new Feed(api, listener, () => new Stream() as unknown as EventSource);
  feed.start();
  await expect.poll(() => listener.lists).toEqual([["1", "2", "3"]]);
  feed.stop();
});

test("gone endpoints are removed and malformed events are ignored", async () => {
  const listener = new Listener();
  const stream = new Stream();
  const api = gateway({ "/api/endpoints": { endpoints: [] } });
  const feed = new Feed(api, listener, () => stream as unknown as EventSource);
  feed.start();
  stream.send("endpoint", { id: "7" });
  stream.send("gone", { id: "7" });
  stream.send("gone", {});
  stream.send("endpoint", {});
  await expect.poll(() => listener.lists.length).toBe(1);
  expect([listener.changed, listener.gone]).toEqual([["7"], ["7"]]);
  feed.stop();
});

test("a missed event makes the feed read the list again", async () => {
  const listener = new Listener();
  const stream = new Stream();
  const api = gateway({ "/api/endpoints": { endpoints: [] } });
  const feed = new Feed(api, listener, () => stream as unknown as EventSource);
  feed.start();
  await expect.poll(() => listener.lists.length).toBe(1);
  stream.send("missed", {});
  await expect.poll(() => listener.lists.length).toBe(2);
  feed.stop();
});
