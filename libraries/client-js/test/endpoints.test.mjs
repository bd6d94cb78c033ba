import assert from "node:assert/strict";
import { test } from "node:test";
import { Gateway } from "../dist/libraries/client-js/src/index.js";

test("endpoints are asked for by tags, page after page", async () => {
  const asked = [];
  const pages = [{ endpoints: [{ ep: "a" }], next: "n 1" }, { endpoints: [{ ep: "b" }] }];
  const gateway = new Gateway("http://gateway", {
    fetch: async (place) => {
      asked.push(place);
      return Response.json(pages.shift());
    },
  });
  const found = [];
  for await (const { ep } of gateway.endpoints({ tag: ["building-3", "kind:boiler"], text: "x" }))
    found.push(ep);
  assert.deepEqual(found, ["a", "b"]);
  const query = "text=x&tag=building-3&tag=kind%3Aboiler";
  assert.deepEqual(asked, [
    `http://gateway/api/endpoints?${query}`,
    `http://gateway/api/endpoints?${query}&after=n+1`,
  ]);
});

test("one tag is asked for as it is", async () => {
  const asked = [];
  const gateway = new Gateway("http://gateway", {
    fetch: async (place) => {
      asked.push(place);
      return Response.json({ endpoints: [] });
    },
  });
  for await (const _ of gateway.endpoints({ tag: "hall" })) assert.fail();
  assert.deepEqual(asked, ["http://gateway/api/endpoints?tag=hall"]);
});
