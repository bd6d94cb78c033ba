import { afterEach, describe, expect, test } from "vitest";
import { Api } from "../src/gateway/api";
import { readEndpoint } from "../src/gateway/model";
import { Verifier, type Unchecked } from "../src/gateway/verifier";
import { chooseLanguage, LANGUAGES } from "../src/text/language";
import { verdictMessages } from "../src/text/verdictMessages";
import { reasonParts, reasonText, type Reason } from "../src/text/verdicts";
import type { Verdict } from "../src/verify/verify";
import { LOAD, mote, subtle } from "./signing";

afterEach(() => chooseLanguage("en"));

/** One reason of each code; the numbers and names are in its sentence. */
const REASONS: { [C in Reason["code"]]: Extract<Reason, { code: C }> } = {
  malformed: { code: "malformed", detail: "not three parts" },
  "key-unknown": { code: "key-unknown" },
  "key-unusable": { code: "key-unusable", detail: "lacks a coordinate" },
  "curve-unsupported": { code: "curve-unsupported", curve: "P-384" },
  "other-key": { code: "other-key" },
  "other-algorithm": { code: "other-algorithm", algorithm: "ES256", curve: "P-384" },
  signature: { code: "signature" },
  resource: { code: "resource", signed: "temp", shown: "load" },
  number: { code: "number", signed: 12, shown: 13 },
  older: { code: "older", signed: 12, highest: 13 },
  "no-value": { code: "no-value" },
  value: { code: "value", signed: "0.42", shown: "0.43" },
  unit: { code: "unit", signed: "Cel", shown: "K" },
  pin: { code: "pin" },
  insecure: { code: "insecure" },
  unreachable: { code: "unreachable" },
  "not-sent": { code: "not-sent", status: 503 },
  failed: { code: "failed", detail: "TypeError: network error" },
  ahead: { code: "ahead", has: 14, announced: 13 },
};

describe.each(LANGUAGES)("in %s each reason", (language) => {
  test("has a sentence of its own with its numbers and names", () => {
    chooseLanguage(language);
    const all = Object.values(REASONS);
    for (const reason of all) {
      const { sentence } = reasonParts(reason);
      expect(sentence).toMatch(/^[A-Z].+\.$/);
      const { code: _code, ...facts } = reason;
      for (const [name, fact] of Object.entries(facts)) {
        if (name !== "detail") expect(sentence).toContain(String(fact));
      }
    }
    expect(new Set(all.map((reason) => reasonText(reason))).size).toBe(all.length);
    expect(Object.keys(verdictMessages[language]).sort()).toEqual(Object.keys(REASONS).sort());
  });
});

test("a German page has German sentences, and English only from the parser", () => {
  chooseLanguage("de");
  expect(reasonParts(REASONS.value)).toEqual({
    sentence: "Der Sensor hat den Wert 0.42 signiert, das Gateway zeigt aber 0.43.",
    detail: "",
  });
  expect(reasonParts(REASONS["key-unusable"])).toEqual({
    sentence: "Der Schlüssel ist nicht brauchbar.",
    detail: "The key lacks a coordinate.",
  });
  expect(reasonText(REASONS.malformed)).toBe(
    "Das Original ist kein wohlgeformter signierter Wert. (not three parts)",
  );
});

/** The outcome for a reading whose requests a gateway answers; a status is a refusal. */
async function verify(
  original: string | number,
  key: object | number,
  crypto: SubtleCrypto | undefined = subtle,
): Promise<Verdict | Unchecked> {
  const api = new Api("http://gateway/", (path) => {
    const answer = String(path).includes("/keys/") ? key : original;
    if (answer === 0) return Promise.reject(new TypeError("offline"));
    return Promise.resolve(
      typeof answer === "number"
        ? new Response(null, { status: answer })
        : typeof answer === "string"
          ? new Response(answer, { headers: { "Content-Type": "application/jose" } })
          : Response.json(answer),
    );
  });
  const resource = { path: "load", unit: "/", value: "0.42", seq: 12 };
  const [read] = readEndpoint({ id: "7", ep: "mote-1", resources: [resource] }).resources;
  if (read === undefined) throw new Error("no resource");
  return new Verifier(api, crypto).verify(
    { ...read, value: "0.42" },
    { pinned: undefined, highest: undefined },
  );
}

describe("a reading that cannot be checked", () => {
  test("is not refused, and the reason says what is missing", async () => {
    const { jwk, update } = await mote();
    const jws = await update(LOAD);
    expect((await verify(jws, jwk)).state).toBe("verified");
    expect(await verify(0, jwk)).toEqual({ state: "unchecked", reason: REASONS.unreachable });
    expect(await verify(503, jwk)).toEqual({ state: "unchecked", reason: REASONS["not-sent"] });
    expect(await verify(jws, 503)).toEqual({ state: "unchecked", reason: REASONS["not-sent"] });
  });

  test("because the page is insecure, is not fetched", async () => {
    const verifier = new Verifier({} as Api, undefined);
    const resource = { value: "0.42" } as Parameters<Verifier["verify"]>[0];
    const known = { pinned: undefined, highest: undefined };
    expect(await verifier.verify(resource, known)).toEqual({
      state: "unchecked",
      reason: REASONS.insecure,
    });
  });

  test("is refused if the gateway has no such key, or one that is no key", async () => {
    const { update } = await mote();
    const jws = await update(LOAD);
    expect(await verify(jws, 404)).toMatchObject({
      failed: "key",
      reason: REASONS["key-unknown"],
    });
    expect(await verify(jws, { kty: "oct" })).toMatchObject({
      failed: "key",
      reason: { code: "key-unusable" },
    });
  });

  test("by this browser names the curve", async () => {
    const { jwk, update } = await mote("ES384");
    const old = {
      digest: subtle.digest.bind(subtle),
      importKey: () => Promise.reject(new DOMException("no", "NotSupportedError")),
    } as unknown as SubtleCrypto;
    expect(await verify(await update(LOAD), jwk, old)).toMatchObject({
      state: "refused",
      reason: REASONS["curve-unsupported"],
    });
  });
});
