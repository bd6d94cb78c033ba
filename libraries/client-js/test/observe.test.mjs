// Observations of a gateway that refuses, is restarted, or loses changes.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gateway } from "../dist/libraries/client-js/src/index.js";
import { example, MOTE, update } from "./examples.mjs";
import { broken, problem, scripted } from "./scripted.mjs";

describe("an observation", () => {
  const [LIST, EVENTS, MOTE_1, TEMP, HUM] = [
    "api/endpoints",
    "api/events",
    "api/endpoints/7",
    "ms/7/temp",
    "ms/7/hum",
  ];
  const KEY = `keys/${example("jkt-mote")}`;
  const SILENCE = 40_000;

  const resource = (seq, path = "temp", marks = []) => ({
    path,
    seq,
    marks,
    arrivedAt: "2026-11-26T07:30:25.500Z",
  });
  const view = (...resources) => ({ id: "7", ep: "mote-1", d: "", high: 1, resources });
  const listed = (seq) => Response.json({ endpoints: [view(resource(seq))] });
  const key = () => ({ [KEY]: [Response.json(MOTE)] });
  const after = (seconds) => ({ "Retry-After": seconds });
  const empty = (status, headers = {}) => new Response(null, { status, headers });

  async function signed(seq, path = "temp") {
    const headers = { "Content-Type": "application/jose" };
    return new Response(await update({ seq, res: path }), { headers });
  }

  /** The text of an event stream: its first id, then names, ids and data of events. */
  function blocks(first, ...events) {
    const later = events.map(
      ([name, id, data]) => `event:${name}\nid:${id}\ndata:${JSON.stringify(data)}\n\n`,
    );
    return `id:${first}\nretry:2000\n:vigil\n\n${later.join("")}`;
  }

  const stream = (first, ...events) => new Response(blocks(first, ...events));

  /** The pauses in milliseconds, which a test does not wait for. */
  function pausesOf(t) {
    const taken = [];
    const real = globalThis.setTimeout;
    t.mock.method(globalThis, "setTimeout", (done, time) => {
      if (time === SILENCE) return real(done, time);
      taken.push(time);
      return real(done, 0);
    });
    return taken;
  }

  /** Resource and number of the first readings, and what was asked for. */
  async function observe(answers, count, { endpoint, ...options } = {}) {
    const { fetch, asked } = scripted(answers);
    const readings = [];
    const gateway = new Gateway("http://gateway", { fetch });
    for await (const one of gateway.observe(endpoint, undefined, options)) {
      readings.push(`${one.resource} ${one.number}`);
      if (readings.length === count) break;
    }
    return { readings, asked };
  }

  const refusals = () => [
    ...[429, 502, 503, 504].map((status) => problem(status, "overloaded", after("7"))),
    // Without a place for another connection the gateway sends no problem.
    empty(503, after("7")),
  ];
  for (const [at, refused] of refusals().entries()) {
    test(`it waits until the event stream opens again (${at}: ${refused.status})`, async (t) => {
      const pauses = pausesOf(t);
      const { readings, asked } = await observe(
        {
          [EVENTS]: [stream(5), refused, stream(5, ["endpoint", 6, view(resource(3))])],
          [LIST]: [listed(2)],
          [TEMP]: [await signed(2), await signed(3)],
          ...key(),
        },
        2,
      );
      assert.deepEqual(readings, ["temp 2", "temp 3"]);
      assert.deepEqual(
        asked.filter(([path]) => path === EVENTS).map(([, id]) => id),
        [undefined, "5", "5"],
      );
      assert.deepEqual(pauses, [500, 7000]);
    });
  }

  test("a shorter Retry-After does not shorten the pause", async (t) => {
    const pauses = pausesOf(t);
    const busy = Array.from({ length: 6 }, () => problem(503, "overloaded", after("1")));
    const again = stream(5, ["endpoint", 6, view(resource(3))]);
    const { readings } = await observe(
      {
        [EVENTS]: [stream(5), ...busy, again],
        [LIST]: [listed(2)],
        [TEMP]: [await signed(2), await signed(3)],
        ...key(),
      },
      2,
    );
    assert.equal(readings[1], "temp 3");
    assert.deepEqual(pauses, [500, 1000, 2000, 4000, 8000, 15_000, 15_000]);
  });

  test("it throws the refusal if it does not begin", async () => {
    await assert.rejects(observe({ [EVENTS]: [problem(503, "overloaded", after("10"))] }, 1), {
      name: "Refused",
      status: 503,
      retryAfter: 10,
    });
  });

  test("another refusal of the event stream ends it", async (t) => {
    pausesOf(t);
    const events = [stream(5), problem(400, "invalid-request")];
    const answers = { [EVENTS]: events, [LIST]: [listed(2)], [TEMP]: [await signed(2)], ...key() };
    await assert.rejects(observe(answers, 2), { name: "Refused", status: 400 });
  });

  for (const [name, refused] of Object.entries({
    503: () => problem(503),
    429: () => problem(429),
    broken: () => broken("x"),
  })) {
    test(`the list is read again until it is whole (${name})`, async (t) => {
      const pauses = pausesOf(t);
      const page = () => Response.json({ endpoints: [view(resource(2))], next: "n" });
      const rest = Response.json({ endpoints: [view(resource(4, "hum"))] });
      const { readings, asked } = await observe(
        {
          [EVENTS]: [stream(5), stream(5), stream(5)],
          [LIST]: [refused(), page(), refused(), page(), rest],
          [TEMP]: [await signed(2)],
          [HUM]: [await signed(4, "hum")],
          ...key(),
        },
        2,
      );
      assert.deepEqual(readings, ["temp 2", "hum 4"]);
      assert.deepEqual(
        asked.filter(([path]) => path === EVENTS).map(([, id]) => id),
        [undefined, "5", "5"],
      );
      // Opening the stream is no success while the list fails.
      assert.deepEqual(pauses, [500, 1000]);
    });
  }

  for (const [name, path, refused] of [
    ["refused", LIST, () => problem(503)],
    ["refused, one endpoint", MOTE_1, () => problem(503)],
    ["broken", LIST, () => broken("x")],
  ]) {
    test(`missed changes are listed even if the list fails first (${name})`, async (t) => {
      pausesOf(t);
      const answers = {
        [EVENTS]: [stream(5, ["missed", 90, {}]), stream(90)],
        [LIST]: [listed(2)],
        [MOTE_1]: [Response.json(view(resource(2)))],
        [TEMP]: [await signed(2), await signed(4)],
        ...key(),
      };
      const found = view(resource(4));
      answers[path].push(refused(), Response.json(path === LIST ? { endpoints: [found] } : found));
      const options = path === LIST ? {} : { endpoint: "mote-1" };
      const { readings, asked } = await observe(answers, 2, options);
      assert.deepEqual(readings, ["temp 2", "temp 4"]);
      assert.ok(asked.some(([at, id]) => at === EVENTS && id === "90"));
    });
  }

  test("changes are listed when a stream ends before it says that they were missed", async (t) => {
    pausesOf(t);
    const { readings } = await observe(
      {
        [EVENTS]: [stream(5), broken(blocks(90))],
        [LIST]: [listed(2), listed(4)],
        [TEMP]: [await signed(2), await signed(4)],
        ...key(),
      },
      2,
    );
    assert.deepEqual(readings, ["temp 2", "temp 4"]);
  });

  test("a resumed stream needs no list", async (t) => {
    pausesOf(t);
    const begun = stream(5, ["endpoint", 6, view(resource(3))]);
    const { readings, asked } = await observe(
      {
        [EVENTS]: [begun, stream(6, ["endpoint", 7, view(resource(4))])],
        [LIST]: [listed(2)],
        [TEMP]: [await signed(2), await signed(3), await signed(4)],
        ...key(),
      },
      3,
    );
    assert.equal(readings[2], "temp 4");
    assert.equal(asked.filter(([path]) => path === LIST).length, 1);
  });

  for (const status of [429, 502, 503, 504]) {
    test(`a reading is asked for until the gateway gives it (${status})`, async (t) => {
      const pauses = pausesOf(t);
      const refused = () => problem(status, "overloaded", after("3"));
      const { readings } = await observe(
        {
          [EVENTS]: [stream(5)],
          [LIST]: [listed(2)],
          [TEMP]: [refused(), empty(503), refused(), await signed(2)],
          ...key(),
        },
        1,
      );
      assert.deepEqual(readings, ["temp 2"]);
      assert.deepEqual(pauses, [3000, 1000, 3000]);
    });
  }

  test("a stale value delays no other and is given once it can be", async (t) => {
    const pauses = pausesOf(t);
    const both = view(resource(2, "temp", ["stale"]), resource(3, "hum"));
    const { readings } = await observe(
      {
        [EVENTS]: [stream(5, ["endpoint", 6, both])],
        [LIST]: [Response.json({ endpoints: [both] })],
        [TEMP]: [problem(503, "stale-value", after("3600")), await signed(2)],
        [HUM]: [await signed(3, "hum")],
        ...key(),
      },
      2,
    );
    assert.deepEqual(readings, ["hum 3", "temp 2"]);
    assert.deepEqual(pauses, []);
  });

  for (const refused of [problem(403, "not-trusted"), problem(404, "not-found")]) {
    test(`a refused reading is not taken for a delivered one (${refused.status})`, async () => {
      const both = view(resource(2), resource(3, "hum"));
      const { readings } = await observe(
        {
          [EVENTS]: [stream(5, ["endpoint", 6, both], ["endpoint", 7, both])],
          [LIST]: [Response.json({ endpoints: [both] })],
          [TEMP]: [refused, await signed(2)],
          [HUM]: [await signed(3, "hum")],
          ...key(),
        },
        2,
      );
      assert.deepEqual(readings, ["hum 3", "temp 2"]);
    });
  }

  test("the error of a reading is reported once", async () => {
    const same = ["endpoint", 6, view(resource(2))];
    const forged = `${(await update()).slice(0, -4)}AAAA`;
    const errors = [];
    const { readings } = await observe(
      {
        [EVENTS]: [stream(5, same, same, ["endpoint", 7, view(resource(3))])],
        [LIST]: [listed(2)],
        [TEMP]: [new Response(forged), await signed(3)],
        ...key(),
      },
      1,
      { refused: (error) => errors.push(`${error.name} ${error.resource}`) },
    );
    assert.deepEqual([readings, errors], [["temp 3"], ["BadSignature temp"]]);
  });

  for (const [name, abort] of Object.entries({
    before: (controller) => controller.abort(),
    in: (controller) => setTimeout(() => controller.abort(), 50),
  })) {
    test(
      `it ends with its signal ${name} the pause after a refusal`,
      { timeout: 10_000 },
      async () => {
        const controller = new AbortController();
        const { fetch } = scripted({
          [EVENTS]: [stream(5)],
          [LIST]: [listed(2)],
          [TEMP]: [problem(503, "overloaded", after("3600"))],
        });
        const asking = async (place, request) => {
          const answer = await fetch(place, request);
          if (place.endsWith(TEMP)) abort(controller);
          return answer;
        };
        const gateway = new Gateway("http://gateway", { fetch: asking });
        const { signal } = controller;
        for await (const _ of gateway.observe(undefined, undefined, { signal })) assert.fail();
      },
    );
  }

  const SECONDS = { 0: 0, 5: 5, 999999999: 3600, [`1${"0".repeat(30)}`]: 0, "-1": 0, 1.5: 0 };
  for (const [text, seconds] of Object.entries({ ...SECONDS, soon: 0 })) {
    test(`an error has the seconds of Retry-After: ${text}`, async () => {
      const refused = [problem(503, "overloaded", after(text)), empty(503, after(text))];
      const { fetch } = scripted({ [LIST]: refused });
      const gateway = new Gateway("http://gateway", { fetch });
      for (const name of ["Refused", "Unreachable"]) {
        await assert.rejects(gateway.endpoint("mote-1"), { name, retryAfter: seconds });
      }
    });
  }
});
