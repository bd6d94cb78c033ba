// Histories that a gateway does not send to the end.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { describe, test } from "node:test";
import { Gateway } from "../dist/libraries/client-js/src/index.js";
import { MOTE, update } from "./examples.mjs";
import { problem, scripted } from "./scripted.mjs";

describe("a history", () => {
  const ENDPOINT = { id: "7", ep: "mote-1", d: "", high: 9, resources: [] };
  const EXPORT = "api/endpoints/7/export/temp";
  const detail = "too many histories are being read.";
  const PROBLEM = JSON.stringify({
    type: "/problems/overloaded",
    title: "no",
    status: 503,
    detail,
  });

  async function row(seq, more = {}) {
    const jws = await update({ seq });
    const arrived = "2026-11-26T07:30:25.500Z";
    return `${JSON.stringify({ seq, arrived, marks: "", senml: [], jws, jwk: MOTE, ...more })}\n`;
  }

  /** The numbers of the readings, and the error after them. */
  async function read(gateway) {
    const numbers = [];
    try {
      for await (const { number } of gateway.history("mote-1", "temp")) numbers.push(number);
    } catch (error) {
      return { numbers, error };
    }
    return { numbers, error: undefined };
  }

  function answering(answer) {
    const { fetch } = scripted({
      "api/endpoints": [Response.json({ endpoints: [ENDPOINT] })],
      [EXPORT]: [answer],
    });
    return read(new Gateway("http://gateway", { fetch }));
  }

  /** A server that closes the connection before the last chunk. */
  async function breakingOff(text) {
    const server = createServer((request, response) => {
      if (!request.url.includes("/export/")) {
        response.end(JSON.stringify({ endpoints: [ENDPOINT] }));
        return;
      }
      response.flushHeaders();
      if (text === "") response.socket.end();
      else response.write(text, () => response.socket.end());
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      return await read(new Gateway(`http://127.0.0.1:${server.address().port}`));
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  for (const numbers of [[], [1], [1, 2, 5]]) {
    test(`a whole one has all readings: ${numbers.length}`, async () => {
      const rows = await Promise.all(numbers.map((seq) => row(seq)));
      const { numbers: found, error } = await answering(new Response(rows.join("")));
      assert.deepEqual([found, error], [numbers, undefined]);
    });
  }

  for (const [name, cut] of Object.entries({
    empty: () => "",
    "a line": (first) => first,
    "no line end": (first, second) => first + second.slice(0, -1),
    "a part of a line": (first, second) => first + second.slice(0, 40),
  })) {
    test(`an answer without its last chunk is an error: ${name}`, async () => {
      const text = cut(await row(1), await row(2));
      const { numbers, error } = await breakingOff(text);
      assert.deepEqual([numbers, error?.name], [text === "" ? [] : [1], "Unreachable"]);
    });
  }

  const UNFINISHED = "its last line is unfinished";
  const NO_READING = "it has a line without a reading";
  for (const [name, last, why] of [
    ["no line end", async () => (await row(2)).slice(0, -1), UNFINISHED],
    ["a part of a line", async () => (await row(2)).slice(0, 40), UNFINISHED],
    ["a part of a letter", async () => new Uint8Array([0xc3]), UNFINISHED],
    ["a problem without a line end", async () => PROBLEM, UNFINISHED],
    ["a problem", async () => `${PROBLEM}\n`, "too many histories are being read"],
    ["not JSON", async () => `${(await row(2)).slice(0, 40)}\n`, NO_READING],
    ["null", async () => "null\n", NO_READING],
    ["no text", async () => "\n", NO_READING],
    ["no marks", () => row(2, { marks: null }), NO_READING],
  ]) {
    test(`a last line that is no reading is an error: ${name}`, async () => {
      const body = new Blob([await row(1), await last()]);
      const { numbers, error } = await answering(new Response(body));
      assert.deepEqual([numbers, error?.name], [[1], "Unreachable"]);
      const end = ` did not send the whole history of mote-1/temp: ${why}. Read it again.`;
      assert.ok(error.message.endsWith(end), error.message);
    });
  }

  test("a refused one is a refusal", async () => {
    const { numbers, error } = await answering(problem(503, "overloaded", { "Retry-After": "5" }));
    assert.deepEqual([numbers, error?.name, error?.retryAfter], [[], "Refused", 5]);
  });
});
