import { expect, test } from "vitest";
import { Api } from "../src/watch/api";
import { Feed, type Connection, type FeedListener } from "../src/watch/feed";
import type { Endpoint } from "../src/watch/model";

/** As much of an event stream as the feed asks for. */
class Stream extends EventTarget {
  readyState = 1;

  say(type: string, data: unknown): void {
    this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data) }));
  }

  close(): void {
    this.readyState = 2;
  }
}

class Page implements FeedListener {
  readonly lists: string[][] = [];
  readonly heard: string[] = [];
  readonly gone: string[] = [];

  onConnection(_connection: Connection): void {}

  onAll(endpoints: Endpoint[]): void {
    this.lists.push(endpoints.map(({ id }) => id));
  }

  onEndpoint({ id }: Endpoint): void {
    this.heard.push(id);
  }

  onGone(id: string): void {
    this.gone.push(id);
  }
}

/** A gateway that answers each path with what stands for it. */
function gateway(answers: Record<string, unknown>): Api {
  return new Api("http://gateway/", (path) => {
    const { pathname, search } = new URL(String(path));
    return Promise.resolve(Response.json(answers[pathname + search]));
  });
}

test("the list is read to its last page", async () => {
  const page = new Page();
  const api = gateway({
    "/api/endpoints": { endpoints: [{ id: "1" }, { id: "2" }], next: "a b" },
    "/api/endpoints?after=a%20b": { endpoints: [{ id: "3" }] },
  });
  const feed = new Feed(api, page, () => new Stream() as unknown as EventSource);
  feed.start();
  await expect.poll(() => page.lists).toEqual([["1", "2", "3"]]);
  feed.stop();
});

test("an endpoint that is gone leaves at once, and what makes no sense changes nothing", async () => {
  const page = new Page();
  const stream = new Stream();
  const api = gateway({ "/api/endpoints": { endpoints: [] } });
  const feed = new Feed(api, page, () => stream as unknown as EventSource);
  feed.start();
  stream.say("endpoint", { id: "7" });
  stream.say("gone", { id: "7" });
  stream.say("gone", {});
  stream.say("endpoint", {});
  await expect.poll(() => page.lists.length).toBe(1);
  expect([page.heard, page.gone]).toEqual([["7"], ["7"]]);
  feed.stop();
});

test("whoever missed something reads the list again", async () => {
  const page = new Page();
  const stream = new Stream();
  const api = gateway({ "/api/endpoints": { endpoints: [] } });
  const feed = new Feed(api, page, () => stream as unknown as EventSource);
  feed.start();
  await expect.poll(() => page.lists.length).toBe(1);
  stream.say("missed", {});
  await expect.poll(() => page.lists.length).toBe(2);
  feed.stop();
});
