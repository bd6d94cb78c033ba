import { describe, expect, test } from "vitest";
import { decodeBase64url, encodeBase64url } from "../src/verify/base64url";
import { parseJws } from "../src/verify/jws";
import { readKey, signatureIsRight, thumbprint, type Algorithm } from "../src/verify/jwk";
import { verifyUpdate, type Check, type Claim, type Verdict } from "../src/verify/verify";
import type { Refused } from "../src/verify/reasons";
import { claim, LOAD, mote, subtle, type Mote } from "./signing";

async function judge(jws: string, key: unknown, claimed: Claim = claim()): Promise<Verdict> {
  return verifyUpdate(jws, () => Promise.resolve(key), claimed, subtle);
}

async function failure(jws: string, key: unknown, claimed?: Claim): Promise<[Check, Refused]> {
  const verdict = await judge(jws, key, claimed);
  if (verdict.state !== "refused") throw new Error(`it is ${verdict.state}`);
  return [verdict.failed, verdict.reason];
}

/** RFC 7515 appendix A.3. */
const A3 = {
  jws:
    "eyJhbGciOiJFUzI1NiJ9" +
    ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ" +
    ".DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q",
  key: {
    kty: "EC",
    crv: "P-256",
    x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
    y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
    d: "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI",
  },
};

describe("the signature", () => {
  test("of RFC 7515 appendix A.3 is valid", async () => {
    const jws = parseJws(A3.jws);
    expect(jws.header).toEqual({ alg: "ES256" });
    const right = await signatureIsRight(readKey(A3.key), jws.signature, jws.signed, subtle);
    expect(right).toBe(true);
  });

  test("of RFC 8037 appendix A.4 (Ed25519) is valid", async () => {
    const jws = parseJws(
      "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc" +
        ".hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg",
    );
    const key = readKey({
      kty: "OKP",
      crv: "Ed25519",
      x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    });
    expect(await signatureIsRight(key, jws.signature, jws.signed, subtle)).toBe(true);
    expect(await thumbprint(key, subtle)).toBe("kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
  });

  test("of other octets is invalid", async () => {
    const jws = parseJws(A3.jws);
    for (const at of [0, 20, 21, jws.signed.length - 1]) {
      const tampered = jws.signed.slice();
      tampered[at] = (tampered[at] ?? 0) ^ 1;
      const right = await signatureIsRight(readKey(A3.key), jws.signature, tampered, subtle);
      expect(right).toBe(false);
    }
  });

  test("of another length is invalid, not an error", async () => {
    const jws = parseJws(A3.jws);
    const short = jws.signature.slice(0, 63);
    expect(await signatureIsRight(readKey(A3.key), short, jws.signed, subtle)).toBe(false);
  });
});

describe("a reading that the mote signed", () => {
  test.each<Algorithm>(["ES256", "ES384", "EdDSA"])("with %s is verified", async (alg) => {
    const { jwk, update } = await mote(alg);
    expect((await judge(await update(LOAD), jwk)).state).toBe("verified");
  });

  test("is verified with any order and spacing of its header", async () => {
    const { jwk, kid, sign } = await mote();
    const header = `{ "seq":12,\n "res":"load", "kid":"${kid}", "cty":"application/senml+json", "alg":"ES256"}`;
    expect((await judge(await sign(header, JSON.stringify(LOAD)), jwk)).state).toBe("verified");
  });

  test("is verified in SenML-CBOR", async () => {
    const { jwk, kid, sign } = await mote();
    const header = {
      alg: "ES256",
      cty: "application/senml+cbor",
      kid,
      res: "load",
      seq: 12,
    };
    // [{0: "load", 1: "/", 2: 0.42}]
    const pack = decodeBase64url("gaMAZGxvYWQBYS8C-z_a4UeuFHrh");
    expect((await judge(await sign(header, pack), jwk)).state).toBe("verified");
  });

  test("is verified when the gateway formats the number differently", async () => {
    const { jwk, update } = await mote();
    const jws = await update(LOAD);
    for (const value of ["0.420", "4.2E-1"]) {
      expect((await judge(jws, jwk, claim({ value }))).state).toBe("verified");
    }
  });

  test("is verified with the key this browser remembers", async () => {
    const { jwk, kid, update } = await mote();
    expect((await judge(await update(LOAD), jwk, claim({ pinned: kid }))).state).toBe("verified");
  });

  test("returns its header, records and key", async () => {
    const { jwk, kid, update } = await mote();
    const verdict = await judge(await update(LOAD), jwk);
    if (verdict.state !== "verified") throw new Error(verdict.state);
    expect(verdict.original.header).toMatchObject({ kid, seq: 12 });
    expect(verdict.original.records).toEqual([{ name: "load", unit: "/", value: 0.42, time: 0 }]);
    expect(verdict.original.key).toEqual(jwk);
  });
});

describe("a reading is refused when", () => {
  /** The parts of a valid update; each test changes one. */
  async function parts(): Promise<[Mote, string, string, string]> {
    const one = await mote();
    const [header = "", payload = "", signature = ""] = (await one.update(LOAD)).split(".");
    return [one, header, payload, signature];
  }

  test("its header was changed", async () => {
    const [{ jwk, kid }, , payload, signature] = await parts();
    const other = { alg: "ES256", cty: "application/senml+json", kid, res: "load", seq: 13 };
    const header = encodeBase64url(new TextEncoder().encode(JSON.stringify(other)));
    const jws = `${header}.${payload}.${signature}`;
    expect((await failure(jws, jwk, claim({ seq: 13 })))[0]).toBe("signature");
  });

  test("its payload was changed", async () => {
    const [{ jwk }, header, , signature] = await parts();
    const pack = [{ n: "load", u: "/", v: 0.43 }];
    const payload = encodeBase64url(new TextEncoder().encode(JSON.stringify(pack)));
    const jws = `${header}.${payload}.${signature}`;
    expect((await failure(jws, jwk, claim({ value: "0.43" })))[0]).toBe("signature");
  });

  test("any octet of its signature was changed", async () => {
    const [{ jwk }, header, payload, signature] = await parts();
    const octets = decodeBase64url(signature);
    for (const at of [0, 31, 32, 63]) {
      const changed = octets.slice();
      changed[at] = (changed[at] ?? 0) ^ 0x40;
      const jws = `${header}.${payload}.${encodeBase64url(changed)}`;
      expect((await failure(jws, jwk))[0]).toBe("signature");
    }
  });

  test("its signature is all zeros", async () => {
    const [{ jwk }, header, payload] = await parts();
    const zeros = encodeBase64url(new Uint8Array(64));
    expect((await failure(`${header}.${payload}.${zeros}`, jwk))[0]).toBe("signature");
  });

  test("a part has left-over bits, padding or white space", async () => {
    const [{ jwk }, header, payload, signature] = await parts();
    const last = signature.slice(-1);
    const twin = { A: "B", Q: "R", g: "h", w: "x" }[last] ?? "B";
    const spellings = [
      `${header}.${payload}.${signature.slice(0, -1)}${twin}`,
      `${header}.${payload}.${signature}==`,
      `${header}.${payload}.${signature}\n`,
      ` ${header}.${payload}.${signature}`,
      `${header}.${payload}+.${signature}`,
      `${header}.${payload}`,
      `${header}.${payload}.${signature}.`,
      "",
    ];
    for (const jws of spellings) expect((await failure(jws, jwk))[0]).toBe("form");
  });

  test("the gateway sends another key than the reading names", async () => {
    const one = await mote();
    const other = await mote();
    const [failed, reason] = await failure(await one.update(LOAD), other.jwk);
    expect(failed).toBe("key");
    expect(reason).toEqual({ code: "other-key" });
  });

  test("it names another key than the one that signed", async () => {
    const one = await mote();
    const other = await mote();
    const jws = await one.update(LOAD, { kid: other.kid });
    expect((await failure(jws, other.jwk))[0]).toBe("signature");
  });

  test("its key is of another curve than its algorithm", async () => {
    const one = await mote("ES384");
    const jws = await one.update(LOAD, { alg: "ES256" });
    expect((await failure(jws, one.jwk))[0]).toBe("key");
  });

  test("its key is not a point of the curve, or not of a curve at all", async () => {
    const x = encodeBase64url(new Uint8Array(32).fill(1));
    const off = readKey({ kty: "EC", crv: "P-256", x, y: x });
    const one = await mote();
    const jws = await one.update(LOAD, { kid: await thumbprint(off, subtle) });
    expect(await failure(jws, off)).toEqual([
      "key",
      { code: "key-unusable", detail: "is not a point of its curve" },
    ]);
    for (const key of [null, "key", { kty: "oct", k: "AA" }, { ...one.jwk, x: "AA" }]) {
      expect((await failure(jws, key))[0]).toBe("key");
    }
  });

  test("it was signed for another resource", async () => {
    const { jwk, update } = await mote();
    const [failed, reason] = await failure(await update(LOAD, { res: "temp" }), jwk);
    expect(failed).toBe("resource");
    expect(reason).toEqual({ code: "resource", signed: "temp", shown: "load" });
  });

  test("the gateway shows another value or unit", async () => {
    const { jwk, update } = await mote();
    const jws = await update(LOAD);
    for (const shown of [{ value: "0.43" }, { value: "" }, { value: "x" }, { unit: "Cel" }]) {
      expect((await failure(jws, jwk, claim(shown)))[0]).toBe("value");
    }
    const [, value] = await failure(jws, jwk, claim({ value: "0.43" }));
    expect(value).toEqual({ code: "value", signed: "0.42", shown: "0.43" });
    const [, unit] = await failure(jws, jwk, claim({ unit: "Cel" }));
    expect(unit).toEqual({ code: "unit", signed: "/", shown: "Cel" });
  });

  test("the gateway shows a newer number than was signed", async () => {
    const { jwk, update } = await mote();
    expect(await failure(await update(LOAD), jwk, claim({ seq: 13 }))).toEqual([
      "number",
      { code: "number", signed: 12, shown: 13 },
    ]);
  });

  test("the gateway shows an older reading than before", async () => {
    const { jwk, update } = await mote();
    expect(await failure(await update(LOAD), jwk, claim({ highest: 13 }))).toEqual([
      "number",
      { code: "older", signed: 12, highest: 13 },
    ]);
  });

  test("this browser remembers another key for the endpoint", async () => {
    const before = await mote();
    const now = await mote();
    const verdict = await judge(await now.update(LOAD), now.jwk, claim({ pinned: before.kid }));
    expect(verdict).toMatchObject({ state: "refused", failed: "pin" });
    expect(verdict).toHaveProperty("original.header.kid", now.kid);
  });

  test.each(["none", "HS256", "RS256", undefined])("its algorithm is %s", async (alg) => {
    const { jwk, update } = await mote();
    expect((await failure(await update(LOAD, { alg }), jwk))[0]).toBe("form");
  });

  test.each(["jwk", "jku", "x5c", "x5u", "b64", "crit"])("its header has %s", async (member) => {
    const { jwk, update } = await mote();
    const [failed, reason] = await failure(await update(LOAD, { [member]: [] }), jwk);
    expect(failed).toBe("form");
    expect(reason).toEqual({ code: "malformed", detail: `the header has ${member}` });
  });

  test("it is a registration or a command", async () => {
    const { jwk, update } = await mote();
    for (const typ of ["vigil-reg", "vigil-cmd", "vigil-rotate"]) {
      expect((await failure(await update(LOAD, { typ }), jwk))[0]).toBe("form");
    }
  });

  test.each([-1, 1.5, 2 ** 53, "12", undefined])("its number is %s", async (seq) => {
    const { jwk, update } = await mote();
    expect((await failure(await update(LOAD, { seq }), jwk))[0]).toBe("form");
  });

  test("its payload is not SenML, though it is signed", async () => {
    const { jwk, update } = await mote();
    for (const pack of [{}, [], [1], [{ n: "load", v: "0.42" }], [{ v: 1, vs: "1" }]]) {
      expect((await failure(await update(pack), jwk))[0]).toBe("form");
    }
    expect((await failure(await update([{ n: "load", u: "/" }]), jwk))[0]).toBe("value");
  });
});

test("a mirror that is ahead of the page is no failure", async () => {
  const { jwk, update } = await mote();
  const verdict = await judge(await update(LOAD, { seq: 14 }), jwk);
  expect(verdict).toEqual({ state: "superseded", seq: 14 });
});

test("a network error while fetching the key is not a wrong key", async () => {
  const { update } = await mote();
  const jws = await update(LOAD);
  const unreachable = () => Promise.reject(new Error("offline"));
  await expect(verifyUpdate(jws, unreachable, claim(), subtle)).rejects.toThrow("offline");
});
