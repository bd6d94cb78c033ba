import { encodeBase64url } from "./base64url.ts";
import { decodeCbor, type Cbor } from "./cbor.ts";
import type { Jws } from "./jws.ts";

const TAG_18 = 0xd2;
const SENML_CBOR = 112;
/** Numbers of the accepted algorithms (RFC 9053 section 2). */
const ALGORITHMS = new Map<Cbor, string>([
  [-7, "ES256"],
  [-35, "ES384"],
  [-8, "EdDSA"],
]);

/**
 * Parses a COSE_Sign1 (RFC 9052 section 4.2), tagged or not, into the parts of a JWS: the labels of
 * its protected header become the names of JWS header members. The unprotected header is ignored.
 *
 * @throws SyntaxError when the octets are malformed
 */
export function parseCose(octets: Uint8Array<ArrayBuffer>): Jws {
  const message = decodeCbor(octets[0] === TAG_18 ? octets.subarray(1) : octets);
  if (!Array.isArray(message) || message.length !== 4) throw new SyntaxError("not four parts");
  const [first, unprotected, second, third] = message;
  if (!(unprotected instanceof Map)) throw new SyntaxError("no unprotected header");
  const [header, payload, signature] = [inOctets(first), inOctets(second), inOctets(third)];
  return {
    form: "COSE_Sign1",
    compact: encodeBase64url(octets),
    header: members(header),
    payload,
    signature,
    signed: sigStructure(header, payload),
  };
}

function inOctets(part: Cbor | undefined): Uint8Array<ArrayBuffer> {
  if (!(part instanceof Uint8Array)) throw new SyntaxError("a part that is not octets");
  return part.slice();
}

function members(octets: Uint8Array): Record<string, unknown> {
  const header = decodeCbor(octets);
  if (!(header instanceof Map)) throw new SyntaxError("a header that is not a map");
  const named: Record<string, unknown> = {};
  for (const [label, value] of header) {
    if (label === 1) named["alg"] = ALGORITHMS.get(value) ?? value;
    else if (label === 2) named["crit"] = value;
    else if (label === 3) named["cty"] = value === SENML_CBOR ? "application/senml+cbor" : value;
    else if (label === 4) named["kid"] = value instanceof Uint8Array ? encodeBase64url(value) : "";
    else if (typeof label === "number" && label >= 32 && label <= 35) named["x5c"] = value;
    else if (label === "res" || label === "seq" || label === "ack") named[label] = value;
  }
  return named;
}

/** The Sig_structure that the signature covers, with empty external data (RFC 9052 section 4.4). */
function sigStructure(header: Uint8Array, payload: Uint8Array): Uint8Array<ArrayBuffer> {
  const context = new TextEncoder().encode("Signature1");
  const parts = [
    Uint8Array.of(0x84, 0x60 + context.length),
    context,
    head(header.length),
    header,
    head(0),
    head(payload.length),
    payload,
  ];
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The head of a byte string, in its shortest form (RFC 8949 section 4.2.1). */
function head(length: number): Uint8Array {
  if (length < 24) return Uint8Array.of(0x40 + length);
  if (length < 0x100) return Uint8Array.of(0x58, length);
  if (length < 0x10000) return Uint8Array.of(0x59, length >> 8, length & 255);
  throw new SyntaxError("a part too long");
}
