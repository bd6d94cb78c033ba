// A gateway that answers with other names than the caller's.
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { Gateway, Unverified, WrongEndpoint } from "../dist/libraries/client-js/src/index.js";
import { example, key, MOTE, OTHER, update } from "./examples.mjs";

const FIRST = example("jkt-mote");
const VIEW = {
  id: "7",
  ep: "mote-1",
  d: "lab",
  keyThumbprint: FIRST,
  high: 2,
  resources: [{ path: "temp", seq: 2, arrivedAt: "2026-11-26T07:30:25.500Z" }],
};
const COMMANDER = key("key-commander");

/** The answers of a gateway with one endpoint, the commands that it received, and a memory. */
class Answers {
  view = VIEW;
  event = VIEW;
  signer = MOTE;
  seq = 2;
  commands = [];
  listed = [];
  streams = 0;
  items = new Map();

  gateway() {
    const memory = {
      getItem: (name) => this.items.get(name) ?? null,
      setItem: (name, item) => this.items.set(name, item),
    };
    return new Gateway("http://gateway", { memory, fetch: (...request) => this.fetch(...request) });
  }

  async fetch(place, { method, body }) {
    const { pathname } = new URL(place);
    if (method === "PUT") {
      this.commands.push(body);
      return Response.json({ state: "queued" });
    }
    if (pathname.startsWith("/keys/"))
      return Response.json(pathname.endsWith(FIRST) ? MOTE : OTHER);
    if (pathname === "/ms/7/temp") {
      return new Response(await update({ seq: this.seq }, [{ v: 1 }], this.signer));
    }
    if (pathname === "/ms/7/.result") {
      return Response.json([await update({ res: ".result", seq: 6, ack: 5 }, [{ v: 404 }])]);
    }
    if (pathname === "/api/events") {
      // An observation that goes on after the first stream ends with this refusal.
      if (++this.streams > 1) return Response.json({ type: "/problems/x" }, { status: 404 });
      const data = JSON.stringify(this.event);
      return new Response(`id:1\n\nevent:endpoint\nid:2\ndata:${data}\n\n`);
    }
    if (pathname.endsWith("/commands")) {
      return Response.json({ commands: this.listed, last: 4 });
    }
    if (pathname.endsWith("/resources/temp")) return Response.json(VIEW.resources[0]);
    return Response.json(pathname === "/api/endpoints" ? { endpoints: [this.view] } : this.view);
  }

  /** Another key signs, under other names. */
  forge(renamed) {
    this.view = this.event = { ...VIEW, ...renamed };
    this.signer = OTHER;
    this.seq = 9;
  }
}

const CALLS = {
  read: (gateway, mote, named) => gateway.read(mote, "temp", named),
  pin: (gateway, mote, named) => gateway.read(mote, "temp", { pin: "A".repeat(43), ...named }),
  history: (gateway, mote, named) => gateway.history(mote, "temp", named).next(),
  observe: (gateway, mote, named) => gateway.observe(mote, "temp", named).next(),
  command: (gateway, mote, named) =>
    gateway.command(mote, "temp", 1, { key: COMMANDER, timeout: 0, ...named }),
};
const RENAMES = [{ ep: "mote-2" }, { d: "roof" }, { ep: "mote-2", d: "roof" }];

describe("the names in answers", () => {
  let answers, gateway, before;

  beforeEach(async () => {
    answers = new Answers();
    gateway = answers.gateway();
    assert.equal((await gateway.read("mote-1", "temp")).key, FIRST);
    before = new Map(answers.items);
  });

  function assertNothingChanged() {
    assert.deepEqual(answers.items, before);
    assert.deepEqual(answers.commands, []);
  }

  for (const [name, call] of Object.entries(CALLS)) {
    for (const renamed of RENAMES) {
      for (const [mote, named] of [
        ["mote-1", { domain: "lab" }],
        [VIEW, {}],
      ]) {
        test(`${name} of ${typeof mote} refuses ${JSON.stringify(renamed)}`, async () => {
          answers.forge(renamed);
          const { ep, d } = answers.view;
          const error = await call(gateway, mote, named).catch((problem) => problem);
          assert.ok(error instanceof WrongEndpoint && error instanceof Unverified, `${error}`);
          const sentence = `mote-1 in the domain "lab": the gateway answers with the endpoint "${ep}" in the domain "${d}".`;
          assert.ok(error.message.startsWith(sentence), error.message);
          assert.deepEqual([error.name, error.endpoint], ["WrongEndpoint", "mote-1"]);
          assertNothingChanged();
        });
      }
    }

    test(`${name} of an object of another domain than the given one is refused`, async () => {
      await assert.rejects(call(gateway, VIEW, { domain: "roof" }), WrongEndpoint);
      assertNothingChanged();
    });

    test(`${name} does not trust a remembered name anew in another domain`, async () => {
      answers.forge({ d: "roof", keyThumbprint: "B".repeat(43) });
      // A new client has only what the storage kept.
      for (const own of [gateway, answers.gateway()]) {
        const error = await call(own, "mote-1", {}).catch((problem) => problem);
        assert.deepEqual(
          [error.name, error.pinned, error.found],
          ["KeyChanged", FIRST, "B".repeat(43)],
        );
        assert.match(error.message, /domain "roof", but .* domain "lab"\. Give "lab" as domain/);
      }
      assertNothingChanged();
    });
  }

  test("a mote of the same name is trusted in the domain that the caller names", async () => {
    answers.forge({ d: "roof" });
    const { key: found } = await gateway.read("mote-1", "temp", { domain: "roof" });
    assert.notEqual(found, FIRST);
    // Both domains are remembered now.
    assert.equal((await answers.gateway().read("mote-1", "temp")).domain, "roof");
  });

  test("a name that is remembered in the domain without a name stays there", async () => {
    answers = new Answers();
    answers.view = { ...VIEW, d: "" };
    await answers.gateway().read("mote-1", "temp");
    assert.equal(answers.items.size, 1);
    answers.forge({ d: "roof" });
    await assert.rejects(answers.gateway().read("mote-1", "temp"), { name: "KeyChanged" });
  });

  test("the list of a domain has only endpoints of the domain", async () => {
    answers.forge({ d: "roof" });
    await assert.rejects(gateway.endpoints({ domain: "lab" }).next(), WrongEndpoint);
    assert.equal((await gateway.endpoints().next()).value.d, "roof");
  });

  test("the domain without a name can be asked for", async () => {
    for (const domain of ["", "-"]) {
      answers.view = { ...VIEW, d: "" };
      assert.equal((await gateway.endpoint("mote-1", domain)).d, "");
      answers.view = VIEW;
      await assert.rejects(gateway.endpoint("mote-1", domain), WrongEndpoint);
    }
  });

  test("an event with another name ends the observation", async () => {
    for (const renamed of RENAMES) {
      answers.event = { ...VIEW, ...renamed };
      answers.streams = 0;
      const readings = gateway.observe("mote-1", "temp", { refused: () => assert.fail() });
      assert.equal((await readings.next()).value.endpoint, "mote-1");
      await assert.rejects(readings.next(), WrongEndpoint);
    }
  });

  test("a command is signed for the name and domain that the caller gave", async () => {
    await gateway.command("mote-1", "temp", 1, { key: COMMANDER, domain: "lab", timeout: 0 }).catch(
      // The answers list no commands to follow.
      ({ name }) => assert.equal(name, "UnknownResource"),
    );
    const [header] = answers.commands[0].split(".");
    const { ep, d, res, seq } = JSON.parse(Buffer.from(header, "base64url").toString());
    assert.deepEqual([ep, d, res, seq], ["mote-1", "lab", "temp", 5]);
  });

  test("a signed refusal confirms no command", async () => {
    answers.view = { ...VIEW, resources: [{ ...VIEW.resources[0], path: ".result", seq: 6 }] };
    answers.listed = [{ seq: 5, state: "confirmed" }];
    const sent = await gateway.command("mote-1", "temp", 1, { key: COMMANDER, domain: "lab" });
    assert.deepEqual([sent.number, sent.state, sent.verified], [5, "confirmed", false]);
  });
});
