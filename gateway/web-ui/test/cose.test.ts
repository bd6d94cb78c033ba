import { describe, expect, test } from "vitest";
import { Api } from "../src/gateway/api";
import { parseCose } from "../src/verify/cose";
import { decodeBase64url } from "../src/verify/base64url";
import { readKey, signatureIsRight, type Algorithm } from "../src/verify/jwk";
import { verifyUpdate, type Claim, type Verdict } from "../src/verify/verify";
import { claim, coseHeader, mote, subtle } from "./signing";

function hex(digits: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(digits.match(/../g) ?? [], (octet) => parseInt(octet, 16));
}

/** [{0: "load", 1: "/", 2: 0.42}] */
const PACK = decodeBase64url("gaMAZGxvYWQBYS8C-z_a4UeuFHrh");
const NUMBERS = { ES256: -7, ES384: -35, EdDSA: -8 } as const;

async function judge(
  octets: Uint8Array<ArrayBuffer>,
  key: unknown,
  claimed: Claim = claim(),
): Promise<Verdict> {
  return verifyUpdate(octets, () => Promise.resolve(key), claimed, subtle);
}

async function failed(octets: Uint8Array<ArrayBuffer>, key: unknown): Promise<string> {
  const verdict = await judge(octets, key);
  return verdict.state === "refused" ? verdict.failed : verdict.state;
}

describe("COSE_Sign1", () => {
  test("of RFC 9052 appendix C.2.1 is valid", async () => {
    // The key "11" of appendix C.7.1.
    const key = readKey({
      kty: "EC",
      crv: "P-256",
      x: "usWxHK2PmfnHKwXPS54m0kTcGJ90UiglWiGahtagnv8",
      y: "IBOL-C3BttVivg-lSreASjpkttcsz-1rb7btKLv8EX4",
    });
    const cose = parseCose(
      hex(
        "d28443a10126a10442313154546869732069732074686520636f6e74656e742e" +
          "58408eb33e4ca31d1c465ab05aac34cc6b23d58fef5c083106c4d25a91aef0b0117e" +
          "2af9a291aa32e14ab834dc56ed2a223444547e01f11d3b0916e5a4c345cacb36",
      ),
    );
    expect(cose.header).toEqual({ alg: "ES256" });
    expect(new TextDecoder().decode(cose.payload)).toBe("This is the content.");
    expect(await signatureIsRight(key, cose.signature, cose.signed, subtle)).toBe(true);
  });

  test.each<Algorithm>(["ES256", "ES384", "EdDSA"])("with %s is verified", async (alg) => {
    const { jwk, kid, cose } = await mote(alg);
    const octets = await cose(coseHeader(NUMBERS[alg], kid), PACK);
    const verdict = await judge(octets, jwk);
    if (verdict.state !== "verified") throw new Error(JSON.stringify(verdict));
    expect(verdict.original.jws.form).toBe("COSE_Sign1");
    expect(verdict.original.header).toMatchObject({ alg, kid, res: "load", seq: 12 });
    expect((await judge(octets.slice(1), jwk)).state).toBe("verified");
  });

  test("with any changed octet is refused", async () => {
    const { jwk, kid, cose } = await mote();
    const octets = await cose(coseHeader(-7, kid), PACK);
    for (let at = 0; at < octets.length; at++) {
      const changed = octets.slice();
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(["form", "key", "signature", "resource", "number"]).toContain(
        await failed(changed, jwk),
      );
    }
  });

  test("with another resource, another number or a forbidden label is refused", async () => {
    const { jwk, kid, cose } = await mote();
    expect(await failed(await cose(coseHeader(-7, kid, { res: "temp" }), PACK), jwk)).toBe(
      "resource",
    );
    expect(await failed(await cose(coseHeader(-7, kid, { seq: 11 }), PACK), jwk)).toBe("number");
    const critical = coseHeader(-7, kid, { more: [2, 0x81, 1] });
    expect(await failed(await cose(critical, PACK), jwk)).toBe("form");
    const chain = coseHeader(-7, kid, { more: [0x18, 33, 0x40] });
    expect(await failed(await cose(chain, PACK), jwk)).toBe("form");
    const hmac = coseHeader(5, kid);
    expect(await failed(await cose(hmac, PACK), jwk)).toBe("form");
  });

  test("that is malformed is refused with one sentence", async () => {
    for (const digits of [
      "",
      "d2",
      "80",
      "8443a10126a040",
      "8440f64040",
      "84a0a04040",
      "d1844040a04040",
    ]) {
      expect(await failed(hex(digits), {})).toBe("form");
    }
  });
});

describe("the original", () => {
  const served = (type: string, octets: Uint8Array<ArrayBuffer>) => {
    const asked: (string | null)[] = [];
    const api = new Api("http://gw.local/", (_, init) => {
      asked.push(new Headers(init?.headers).get("Accept"));
      return Promise.resolve(new Response(octets, { headers: { "Content-Type": type } }));
    });
    return { api, asked };
  };

  test("is requested as JWS or COSE_Sign1 in one request", async () => {
    const jws = served("application/jose", new TextEncoder().encode("a.b.c"));
    expect(await jws.api.original("/ms/7/load")).toBe("a.b.c");
    expect(jws.asked).toEqual(["application/jose, application/cose;q=0.9"]);
    const octets = hex("d284");
    const cose = served('application/cose; cose-type="cose-sign1"', octets);
    expect(await cose.api.original("/ms/7/load")).toEqual(octets);
  });
});
