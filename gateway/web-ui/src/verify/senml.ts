import { decodeBase64url } from "./base64url.ts";
import { decodeCbor } from "./cbor.ts";

export type Value = number | string | boolean | Uint8Array;

/** One resolved record (RFC 8428 section 4.6). */
export interface SenmlRecord {
  name: string;
  unit: string;
  /** The sum when the record has no value; undefined for a record that has only base fields. */
  value: Value | undefined;
  /** Unix time in seconds, or below 2^28 relative to arrival; 0 if absent. */
  time: number;
}

/** Names of the integer labels in CBOR (RFC 8428 table 6). */
const LABELS = new Map<unknown, string>([
  [-1, "bver"],
  [-2, "bn"],
  [-3, "bt"],
  [-4, "bu"],
  [-5, "bv"],
  [-6, "bs"],
  [0, "n"],
  [1, "u"],
  [2, "v"],
  [3, "vs"],
  [4, "vb"],
  [5, "s"],
  [6, "t"],
  [7, "ut"],
  [8, "vd"],
]);
const NEWEST_VERSION = 10;

/** @throws SyntaxError when the payload is not a SenML pack of the given content type */
export function readSenml(payload: Uint8Array, cty: string): SenmlRecord[] {
  const pack = cty === "application/senml+cbor" ? fromCbor(payload) : fromJson(payload);
  if (pack.length === 0) throw new SyntaxError("an empty SenML pack");
  return resolve(pack);
}

function fromJson(payload: Uint8Array): Record<string, unknown>[] {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let pack: unknown;
  try {
    pack = JSON.parse(text.decode(payload));
  } catch {
    throw new SyntaxError("not JSON");
  }
  if (!Array.isArray(pack)) throw new SyntaxError("not a SenML pack");
  return pack.map((record: unknown) => {
    if (typeof record !== "object" || record === null || Array.isArray(record)) {
      throw new SyntaxError("a SenML record that is not an object");
    }
    const members = { ...record } as Record<string, unknown>;
    if (typeof members["vd"] === "string") members["vd"] = decodeBase64url(members["vd"]);
    return members;
  });
}

function fromCbor(payload: Uint8Array): Record<string, unknown>[] {
  const pack = decodeCbor(payload);
  if (!Array.isArray(pack)) throw new SyntaxError("not a SenML pack");
  return pack.map((record) => {
    if (!(record instanceof Map)) throw new SyntaxError("a SenML record that is not a map");
    return Object.fromEntries(
      [...record].map(([key, value]) => [LABELS.get(key) ?? String(key), value]),
    );
  });
}

function resolve(pack: Record<string, unknown>[]): SenmlRecord[] {
  let baseName = "";
  let baseUnit = "";
  let baseValue: number | undefined;
  let baseSum: number | undefined;
  let baseTime = 0;
  return pack.map((record) => {
    for (const member of Object.keys(record)) {
      if (member.endsWith("_")) throw new SyntaxError(`the unknown mandatory field ${member}`);
    }
    if (optional(record, "bver", "number", 0) > NEWEST_VERSION) {
      throw new SyntaxError("a SenML version newer than this page knows");
    }
    baseName = optional(record, "bn", "string", baseName);
    baseUnit = optional(record, "bu", "string", baseUnit);
    baseValue = optional(record, "bv", "number", baseValue);
    baseSum = optional(record, "bs", "number", baseSum);
    baseTime = optional(record, "bt", "number", baseTime);
    return {
      name: baseName + optional(record, "n", "string", ""),
      unit: optional(record, "u", "string", baseUnit),
      value: valueOf(record, baseValue, baseSum),
      time: baseTime + optional(record, "t", "number", 0),
    };
  });
}

function valueOf(
  record: Record<string, unknown>,
  baseValue: number | undefined,
  baseSum: number | undefined,
): Value | undefined {
  const given = ["v", "vs", "vb", "vd"].filter((member) => Object.hasOwn(record, member));
  if (given.length > 1) throw new SyntaxError("a SenML record with two values");
  const { v, vs, vb, vd } = record;
  if (typeof v === "number") return (baseValue ?? 0) + v;
  if (typeof vs === "string") return vs;
  if (typeof vb === "boolean") return vb;
  if (vd instanceof Uint8Array) return vd;
  if (given.length > 0) throw new SyntaxError(`a SenML ${given[0]} of the wrong kind`);
  const sum = optional(record, "s", "number", undefined);
  if (sum !== undefined) return (baseSum ?? 0) + sum;
  return baseValue ?? baseSum;
}

interface Kinds {
  number: number;
  string: string;
}

function optional<K extends keyof Kinds, O extends Kinds[K] | undefined>(
  record: Record<string, unknown>,
  member: string,
  kind: K,
  otherwise: O,
): Kinds[K] | O {
  const value = record[member];
  if (value === undefined) return otherwise;
  if (typeof value !== kind) throw new SyntaxError(`a SenML ${member} of the wrong kind`);
  return value as Kinds[K];
}
