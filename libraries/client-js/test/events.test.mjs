import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { events } from "../dist/libraries/client-js/src/events.js";

describe("the event stream", () => {
  const STREAM =
    "id:85\nretry:2000\n:vigil\n\nevent:node\ndata:{}\n\nevent: endpoint\nid:86\ndata: a\u2028b\ndata:c\n\n:still here\n\nevent:half";
  const EVENTS = [
    { name: "message", data: "", id: "85" },
    { name: "node", data: "{}", id: "85" },
    { name: "endpoint", data: "a\u2028b\nc", id: "86" },
    { name: "message", data: "", id: "86" },
  ];

  for (const size of [1, 2, 7, 1000]) {
    for (const end of ["\n", "\r\n"]) {
      test(`events are the same in chunks of ${size} octets with ${JSON.stringify(end)}`, async () => {
        const octets = new TextEncoder().encode(STREAM.replaceAll("\n", end));
        const found = [];
        for await (const event of events(chunks(octets, size))) found.push(event);
        assert.deepEqual(found, EVENTS);
      });
    }
  }

  async function* chunks(octets, size) {
    for (let at = 0; at < octets.length; at += size) yield octets.subarray(at, at + size);
  }
});
