import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { BadSignature, KeyChanged, Replayed } from "../dist/libraries/client-js/src/index.js";
import { Memory } from "../dist/libraries/client-js/src/memory.js";
import { fileMemory } from "../dist/libraries/client-js/src/node.js";
import { Verifier } from "../dist/libraries/client-js/src/reading.js";
import { example, MOTE, OTHER, update } from "./examples.mjs";

describe("a reading", () => {
  const ENDPOINT = { id: "7", ep: "mote-1", d: "" };
  const FIRST = example("jkt-mote");

  function verifier(storage) {
    return new Verifier(new Memory(storage), async (kid) => (kid === FIRST ? MOTE : OTHER));
  }

  /** The last of the readings, verified in this order. */
  const read = (own, ...updates) => readOf("temp", own, ...updates);

  async function readOf(res, own, ...updates) {
    let reading;
    for (const one of updates) {
      const original = await own.check(ENDPOINT, res, await one);
      own.checkKey(ENDPOINT, res, original.kid);
      await own.checkNumber(ENDPOINT, original);
      reading = own.reading(ENDPOINT, original, "2026-11-26T07:30:25.500Z");
    }
    return reading;
  }

  const topics = ({ unproven }) => unproven.map((one) => one.split(":")[0]);

  test("a reading says what its signature does not prove", async () => {
    const reading = await read(verifier(), update());
    assert.deepEqual(
      [reading.value, reading.unit, reading.number, reading.key],
      [21.5, "Cel", 2, FIRST],
    );
    assert.equal(reading.time.toISOString(), "2026-11-26T07:30:25.500Z");
    assert.deepEqual(topics(reading), ["key", "time"]);
  });

  test("a compared key and a signed time leave nothing unproven", async () => {
    const own = verifier();
    own.memory.pin("", "mote-1", FIRST, true);
    const reading = await read(own, update({}, [{ n: "temp", v: 1, t: 1795678225 }]));
    assert.deepEqual(
      [topics(reading), reading.time.toISOString()],
      [[], "2026-11-26T07:30:25.000Z"],
    );
  });

  test("a number may rise or be repeated, but not fall or belong to two readings", async () => {
    const own = verifier();
    const last = await update({ seq: 9 });
    assert.equal((await read(own, update({ seq: 4 }), last, last)).number, 9);
    await assert.rejects(read(own, update({ seq: 8 })), {
      name: "Replayed",
      message: /mote-1\/temp: reading 8 is older than reading 9/,
    });
    await assert.rejects(read(own, update({ seq: 9 }, [{ v: 1 }])), /two different readings 9/);
  });

  test("another key is reported with both thumbprints and changes nothing", async () => {
    const own = verifier();
    await read(own, update({ seq: 2 }));
    const error = await read(own, update({ seq: 3 }, [{ v: 1 }], OTHER)).catch(
      (problem) => problem,
    );
    assert.ok(error instanceof KeyChanged);
    assert.equal(error.pinned, FIRST);
    assert.ok(error.message.includes(`trust("mote-1", "${error.found}")`));
    own.memory.pin("", "mote-1", error.found, true);
    assert.equal((await read(own, update({ seq: 4 }, [{ v: 1 }], OTHER))).value, 1);
  });

  test("a reading of another resource or without a value is refused", async () => {
    await assert.rejects(read(verifier(), update({ res: "hum" })), BadSignature);
    await assert.rejects(read(verifier(), update({}, [{ n: "temp" }])), /has no value/);
  });

  test("a resource may have the name of an object's own method", async () => {
    for (const res of ["constructor", "__proto__"]) {
      const own = verifier();
      assert.equal((await readOf(res, own, update({ res, seq: 5 }))).number, 5);
      await assert.rejects(readOf(res, own, update({ res, seq: 4 })), Replayed);
    }
  });

  test("keys and numbers survive a restart in a file", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "vigil-")), "keys.json");
    const memory = fileMemory(file);
    await read(verifier(memory), update({ seq: 5 }));
    memory.save();
    await assert.rejects(read(verifier(fileMemory(file)), update({ seq: 4 })), Replayed);
    await assert.rejects(
      read(verifier(fileMemory(file)), update({ seq: 6 }, [{ v: 1 }], OTHER)),
      KeyChanged,
    );
    writeFileSync(file, "[");
    assert.throws(() => fileMemory(file), SyntaxError);
    assert.equal(readFileSync(file, "utf8"), "[");
  });

  test("an item that cannot be read is not replaced", () => {
    const storage = { getItem: () => "{}", setItem: () => assert.fail("written") };
    assert.throws(() => new Memory(storage).key("", "mote-1"), SyntaxError);
  });

  test("the package has no dependency at run time", () => {
    const { dependencies } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url)));
    assert.equal(dependencies, undefined);
  });
});
