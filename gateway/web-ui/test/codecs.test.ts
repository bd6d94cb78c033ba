import { describe, expect, test } from "vitest";
import { decodeBase64url, encodeBase64url } from "../src/verify/base64url";
import { decodeCbor } from "../src/verify/cbor";
import { readSenml } from "../src/verify/senml";

function hex(digits: string): Uint8Array {
  return Uint8Array.from(digits.match(/../g) ?? [], (octet) => parseInt(octet, 16));
}

function json(pack: unknown) {
  return readSenml(new TextEncoder().encode(JSON.stringify(pack)), "application/senml+json");
}

describe("base64url", () => {
  test("decodes what it encoded, for every length", () => {
    for (let length = 0; length < 70; length++) {
      const octets = crypto.getRandomValues(new Uint8Array(length));
      expect(decodeBase64url(encodeBase64url(octets))).toEqual(octets);
    }
  });

  test("accepts only the canonical form", () => {
    expect(encodeBase64url(hex("fbff"))).toBe("-_8");
    for (const text of ["-_9", "-_8=", "+/8", "-_8 ", "A", "é_8", "-_\u01388"]) {
      expect(() => decodeBase64url(text)).toThrow(SyntaxError);
    }
  });
});

describe("CBOR", () => {
  test("of RFC 8949 appendix A is decoded", () => {
    const examples: [string, unknown][] = [
      ["1864", 100],
      ["1b000000e8d4a51000", 1000000000000],
      ["3903e7", -1000],
      ["f93c00", 1],
      ["f90001", 5.960464477539063e-8],
      ["f9c400", -4],
      ["fa47c35000", 100000],
      ["fb3ff199999999999a", 1.1],
      ["f97c00", Infinity],
      ["f4", false],
      ["f6", null],
      ["4401020304", hex("01020304")],
      ["62c3bc", "ü"],
      ["8301820203820405", [1, [2, 3], [4, 5]]],
      ["9f018202039f0405ffff", [1, [2, 3], [4, 5]]],
    ];
    for (const [digits, value] of examples) expect(decodeCbor(hex(digits))).toEqual(value);
    expect(decodeCbor(hex("bf61610161629f0203ffff"))).toEqual(
      new Map<string, unknown>([
        ["a", 1],
        ["b", [2, 3]],
      ]),
    );
    expect(decodeCbor(hex("c48221196ab3"))).toBe(273.15);
  });

  test("that is truncated, too long, too deep or of another type is refused", () => {
    const bad = ["", "18", "6161ff", "0000", "82", "8201", "ff", "a1ff01", "82ff", "c000", "f818"];
    bad.push("a201020103", "62ff41", "1bffffffffffffffff", "5b00000000ffffffff", "81".repeat(20));
    bad.push("9b000000ffffffffff");
    for (const digits of bad) expect(() => decodeCbor(hex(digits)), digits).toThrow();
  });
});

describe("SenML", () => {
  test("records take name, unit, value and time from the base fields before them", () => {
    // RFC 8428 section 5.1.2, shortened.
    const records = json([
      { bn: "urn:dev:ow:10e2073a01080063:", bt: 1.276020076e9, bu: "A", bver: 5 },
      { n: "voltage", u: "V", v: 120.1 },
      { n: "current", t: -5, v: 1.2 },
      { n: "current", t: -4, bv: 1, v: 0.3 },
    ]);
    expect(records.slice(1)).toEqual([
      { name: "urn:dev:ow:10e2073a01080063:voltage", unit: "V", value: 120.1, time: 1276020076 },
      { name: "urn:dev:ow:10e2073a01080063:current", unit: "A", value: 1.2, time: 1276020071 },
      { name: "urn:dev:ow:10e2073a01080063:current", unit: "A", value: 1.3, time: 1276020072 },
    ]);
  });

  test("the CBOR example of RFC 8428 section 6 equals its JSON", () => {
    const records = readSenml(
      hex(
        "87a721781b75726e3a6465763a6f773a3130653230373361303130383030363a22fb41d303a15b00106223614120" +
          "050067766f6c7461676501615602fb405e066666666666a3006763757272656e74062402fb3ff3333333333333a3" +
          "006763757272656e74062302fb3ff4cccccccccccda3006763757272656e74062202fb3ff6666666666666a30067" +
          "63757272656e74062102f93e00a3006763757272656e74062002fb3ff999999999999aa3006763757272656e7406" +
          "0002fb3ffb333333333333",
      ),
      "application/senml+cbor",
    );
    const base = { name: "urn:dev:ow:10e2073a0108006:current", unit: "A" };
    expect(records[0]).toMatchObject({ unit: "V", value: 120.1, time: 1276020076.001 });
    expect(records.slice(1)).toEqual(
      [1.2, 1.3, 1.4, 1.5, 1.6, 1.7].map((value, at) => ({
        ...base,
        value,
        time: 1276020076.001 - 5 + at,
      })),
    );
  });

  test("booleans, texts and data are values", () => {
    const values = json([{ vb: false }, { vs: "open" }, { vd: "AQI" }]).map(({ value }) => value);
    expect(values).toEqual([false, "open", hex("0102")]);
  });

  test("a sum or a base value replaces a missing value", () => {
    const pack = [
      { n: "a", s: 3, bs: 10 },
      { n: "b", bv: 5, u: "W" },
      { n: "c", v: 1 },
    ];
    expect(json(pack).map(({ value }) => value)).toEqual([13, 5, 6]);
  });

  test("unknown mandatory fields and newer versions are refused", () => {
    expect(() => json([{ v: 1, new_: 1 }])).toThrow("new_");
    expect(() => json([{ v: 1, bver: 11 }])).toThrow("version");
  });
});
