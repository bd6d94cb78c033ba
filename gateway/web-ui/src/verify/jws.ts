import { decodeBase64url } from "./base64url.ts";
import { isAlgorithm, type Algorithm } from "./jwk.ts";

/** A parsed signed original; its signature is not verified yet. */
export interface Jws {
  form: "JWS" | "COSE_Sign1";
  /** The original text of a JWS in compact serialization, or the octets of a COSE_Sign1 as base64url. */
  compact: string;
  header: Record<string, unknown>;
  payload: Uint8Array<ArrayBuffer>;
  signature: Uint8Array<ArrayBuffer>;
  /** The octets that the signature covers: of a JWS the first two parts and the dot between them. */
  signed: Uint8Array<ArrayBuffer>;
}

/** @throws SyntaxError for anything but three canonical base64url parts and a JSON object as header */
export function parseJws(compact: string): Jws {
  const parts = compact.split(".");
  const [first, second, third] = parts;
  if (parts.length !== 3 || first === undefined || second === undefined || third === undefined) {
    throw new SyntaxError("not three parts");
  }
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let header: unknown;
  try {
    header = JSON.parse(text.decode(decodeBase64url(first)));
  } catch {
    throw new SyntaxError("a header that cannot be read");
  }
  if (typeof header !== "object" || header === null || Array.isArray(header)) {
    throw new SyntaxError("a header that is not a JSON object");
  }
  return {
    form: "JWS",
    compact,
    header: header as Record<string, unknown>,
    payload: decodeBase64url(second),
    signature: decodeBase64url(third),
    signed: new TextEncoder().encode(`${first}.${second}`),
  };
}

/** The protected header of an update in Vigil's profile. */
export interface UpdateHeader {
  alg: Algorithm;
  cty: "application/senml+json" | "application/senml+cbor";
  kid: string;
  res: string;
  seq: number;
}

/** Members that would let a header choose its own key, or change the signed content. */
const FORBIDDEN = ["jwk", "jku", "x5c", "x5u", "b64", "crit"];
const THUMBPRINT = /^[A-Za-z0-9_-]{43}$/;

/** @throws SyntaxError when the header is not that of an update; the message names the fault */
export function readUpdateHeader(header: Record<string, unknown>): UpdateHeader {
  const { alg, cty, kid, res, seq, typ } = header;
  if (!isAlgorithm(alg)) throw new SyntaxError(`the algorithm ${quoted(alg)} is not accepted`);
  for (const member of FORBIDDEN) {
    if (Object.hasOwn(header, member)) throw new SyntaxError(`the header has ${member}`);
  }
  if (typeof typ === "string" && typ.startsWith("vigil-")) {
    throw new SyntaxError(`it is a ${typ}, not a reading`);
  }
  if (cty !== "application/senml+json" && cty !== "application/senml+cbor") {
    throw new SyntaxError(`the content type ${quoted(cty)} is not SenML`);
  }
  if (typeof kid !== "string" || !THUMBPRINT.test(kid)) {
    throw new SyntaxError("the key id is not a thumbprint");
  }
  if (typeof res !== "string") throw new SyntaxError("it names no resource");
  if (typeof seq !== "number" || !Number.isSafeInteger(seq) || seq < 0) {
    throw new SyntaxError("it has no sequence number");
  }
  return { alg, cty, kid, res, seq };
}

function quoted(member: unknown): string {
  return member === undefined ? "(none)" : JSON.stringify(member);
}
