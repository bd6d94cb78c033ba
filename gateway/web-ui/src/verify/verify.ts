import { encodeBase64url } from "./base64url.ts";
import { parseCose } from "./cose.ts";
import { parseJws, readUpdateHeader, type Jws, type UpdateHeader } from "./jws.ts";
import {
  algorithmOf,
  KeyError,
  readKey,
  signatureIsRight,
  thumbprint,
  type PublicKey,
} from "./jwk.ts";
import type { Refused } from "./reasons.ts";
import { readSenml, type SenmlRecord, type Value } from "./senml.ts";

/** The displayed values of a resource, and the remembered state that they must match. */
export interface Claim {
  /** Uri-Path after `/ms/{id}/`, percent-encoded. */
  path: string;
  value: string;
  unit: string;
  seq: number;
  /** Thumbprint of the key first seen for the endpoint; undefined before the first use. */
  pinned: string | undefined;
  /**
   * The highest number that this page has verified for the resource; undefined before the first.
   */
  highest: number | undefined;
}

/** The checks in their order. The first that fails ends the verification. */
export const CHECKS = ["form", "key", "signature", "resource", "number", "value", "pin"] as const;
export type Check = (typeof CHECKS)[number];

/** The verified original, with the parts that could be parsed. */
export interface Original {
  jws: Jws;
  header: UpdateHeader | undefined;
  records: SenmlRecord[] | undefined;
  key: PublicKey | undefined;
}

export type Verdict =
  | { state: "verified"; original: Original }
  | { state: "refused"; failed: Check; reason: Refused; original: Original | undefined }
  /** The mirror has a newer reading than the page; verify again when the page has it too. */
  | { state: "superseded"; seq: number };

/** A check that failed. */
class Refusal extends Error {
  constructor(
    readonly failed: Check,
    readonly reason: Refused,
  ) {
    super(reason.code);
  }
}

/**
 * Verifies that the mote has signed the displayed values.
 *
 * The gateway is not trusted: the signature is checked over the received octets, the key must have
 * the thumbprint in the signed header, and resource, number, value and unit are compared with the
 * signed ones.
 *
 * @param signed the original from `GET /ms/{id}/{path}`: the text of a JWS, or the octets of a
 *   COSE_Sign1
 * @param keyOf fetches the JWK with a thumbprint; rejects if the gateway has none
 */
export async function verifyUpdate(
  signed: string | Uint8Array<ArrayBuffer>,
  keyOf: (kid: string) => Promise<unknown>,
  claim: Claim,
  subtle: SubtleCrypto,
): Promise<Verdict> {
  let original: Original | undefined;
  try {
    const jws = parse(() => (typeof signed === "string" ? parseJws(signed) : parseCose(signed)));
    original = { jws, header: undefined, records: undefined, key: undefined };
    const header = parse(() => readUpdateHeader(jws.header));
    original.header = header;
    original.key = await checkKey(header, keyOf, subtle);
    await checkSignature(original.key, jws, subtle);
    checkResource(header, claim);
    if (header.seq > claim.seq) return { state: "superseded", seq: header.seq };
    checkNumber(header, claim);
    original.records = parse(() => readSenml(jws.payload, header.cty));
    checkValue(original.records, claim);
    checkPin(header, claim);
    return { state: "verified", original };
  } catch (problem) {
    if (!(problem instanceof Refusal)) throw problem;
    return { state: "refused", failed: problem.failed, reason: problem.reason, original };
  }
}

function parse<T>(read: () => T): T {
  try {
    return read();
  } catch (problem) {
    // TextDecoder throws a TypeError for octets that are not UTF-8.
    if (!(problem instanceof SyntaxError || problem instanceof TypeError)) throw problem;
    throw new Refusal("form", { code: "malformed", detail: problem.message });
  }
}

async function checkKey(
  header: UpdateHeader,
  keyOf: (kid: string) => Promise<unknown>,
  subtle: SubtleCrypto,
): Promise<PublicKey> {
  let key: PublicKey;
  try {
    key = readKey(await keyOf(header.kid));
  } catch (problem) {
    if (!(problem instanceof KeyError)) throw problem;
    throw new Refusal("key", keyFault(problem));
  }
  if ((await thumbprint(key, subtle)) !== header.kid) {
    throw new Refusal("key", { code: "other-key" });
  }
  if (algorithmOf(key) !== header.alg) {
    throw new Refusal("key", { code: "other-algorithm", algorithm: header.alg, curve: key.crv });
  }
  return key;
}

function keyFault({ message, fault }: KeyError, curve = ""): Refused {
  switch (fault) {
    case "unknown":
      return { code: "key-unknown" };
    case "unsupported":
      return { code: "curve-unsupported", curve };
    case "unusable":
      return { code: "key-unusable", detail: message };
  }
}

async function checkSignature(key: PublicKey, jws: Jws, subtle: SubtleCrypto): Promise<void> {
  let right: boolean;
  try {
    right = await signatureIsRight(key, jws.signature, jws.signed, subtle);
  } catch (problem) {
    if (!(problem instanceof KeyError)) throw problem;
    throw new Refusal("key", keyFault(problem, key.crv));
  }
  if (!right) throw new Refusal("signature", { code: "signature" });
}

function checkResource(header: UpdateHeader, claim: Claim): void {
  if (header.res === claim.path) return;
  throw new Refusal("resource", { code: "resource", signed: header.res, shown: claim.path });
}

function checkNumber(header: UpdateHeader, claim: Claim): void {
  if (header.seq !== claim.seq) {
    throw new Refusal("number", { code: "number", signed: header.seq, shown: claim.seq });
  }
  if (claim.highest !== undefined && header.seq < claim.highest) {
    throw new Refusal("number", { code: "older", signed: header.seq, highest: claim.highest });
  }
}

function checkValue(records: SenmlRecord[], claim: Claim): void {
  // The mirror shows the last record of a pack.
  const record = records.at(-1);
  const value = record?.value;
  if (record === undefined || value === undefined) {
    throw new Refusal("value", { code: "no-value" });
  }
  if (!sameValue(value, claim.value)) {
    throw new Refusal("value", { code: "value", signed: inText(value), shown: claim.value });
  }
  if (record.unit !== claim.unit) {
    throw new Refusal("value", { code: "unit", signed: record.unit, shown: claim.unit });
  }
}

function checkPin(header: UpdateHeader, claim: Claim): void {
  if (claim.pinned === undefined || claim.pinned === header.kid) return;
  throw new Refusal("pin", { code: "pin" });
}

function sameValue(signed: Value, shown: string): boolean {
  // Numbers are compared by value: 0.420 equals 0.42.
  if (typeof signed === "number") return shown.trim() !== "" && Number(shown) === signed;
  return inText(signed) === shown;
}

/** A value as the gateway writes it: text, `true` or `false`, a number, octets as base64url. */
export function inText(value: Value): string {
  if (!(value instanceof Uint8Array)) return String(value);
  return encodeBase64url(value);
}
