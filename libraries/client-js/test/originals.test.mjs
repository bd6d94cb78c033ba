import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readKey } from "../dist/gateway/web-ui/src/verify/jwk.js";
import { isSignedBy, parse } from "../dist/libraries/client-js/src/originals.js";
import { example, hex, MOTE, OTHER, update } from "./examples.mjs";

describe("an original", () => {
  const KEY = readKey(MOTE);

  for (const [form, octets, number] of [
    ["JWS", example("update-jws"), 2],
    ["compact update", example("update-compact-served"), 3],
    ["COSE_Sign1", hex("update-cose"), 5],
  ]) {
    test(`the protocol's ${form} verifies, and no changed octet does`, async () => {
      const original = parse(octets);
      assert.deepEqual(
        [original.seq, original.res, original.kid, original.records[0].value, original.hasTime],
        [number, "temp", example("jkt-mote"), 21.5, false],
      );
      assert.equal(await isSignedBy(original, KEY), true);
      for (let at = 0; at < octets.length; at++) {
        let verified = false;
        try {
          verified = await isSignedBy(parse(changed(octets, at)), KEY);
        } catch (problem) {
          assert.ok(["SyntaxError", "Error"].includes(problem.name), problem);
        }
        assert.equal(verified, false, `octet ${at}`);
      }
    });
  }

  function changed(octets, at) {
    if (typeof octets !== "string") return octets.with(at, octets[at] ^ 1);
    return octets.slice(0, at) + (octets[at] === "A" ? "B" : "A") + octets.slice(at + 1);
  }

  for (const [header, why] of [
    [{ typ: "JWT" }, /has typ/],
    [{ epk: {} }, /has epk/],
    [{ jwk: {} }, /has jwk/],
    [{ alg: "none" }, /algorithm "none"/],
    [{ cty: "text/plain" }, /content type/],
    [{ kid: "short" }, /not a thumbprint/],
    [{ seq: 1.5 }, /no sequence number/],
  ]) {
    test(`a header with ${JSON.stringify(header)} is refused`, async () => {
      const octets = await update(header);
      assert.throws(() => parse(octets), { name: "SyntaxError", message: why });
    });
  }

  test("octets that are no original are refused", () => {
    for (const octets of ["", "a.b", "a.b.c.d", "W10.W10.", Uint8Array.of(), Uint8Array.of(0x84)]) {
      assert.throws(() => parse(octets), SyntaxError);
    }
  });

  test("another key or algorithm than the header names is refused", async () => {
    await assert.rejects(isSignedBy(parse(await update()), readKey(OTHER)), /another one/);
    await assert.rejects(isSignedBy(parse(await update({ alg: "ES384" })), KEY), /says ES384/);
  });
});
