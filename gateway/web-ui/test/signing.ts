import { decodeBase64url, encodeBase64url } from "../src/verify/base64url";
import { thumbprint, type Algorithm, type PublicKey } from "../src/verify/jwk";
import type { Claim } from "../src/verify/verify";

export const { subtle } = globalThis.crypto;

const GENERATE = {
  ES256: { name: "ECDSA", namedCurve: "P-256" },
  ES384: { name: "ECDSA", namedCurve: "P-384" },
  EdDSA: { name: "Ed25519" },
} as const;
const SIGN = {
  ES256: { name: "ECDSA", hash: "SHA-256" },
  ES384: { name: "ECDSA", hash: "SHA-384" },
  EdDSA: { name: "Ed25519" },
} as const;

/** A mote with a fresh key; its signatures are real. */
export interface Mote {
  alg: Algorithm;
  jwk: PublicKey;
  kid: string;
  /** A compact JWS of these parts, which need not be well-formed. */
  sign(header: object | string, payload: Uint8Array | string): Promise<string>;
  /** A COSE_Sign1 of these octets, which need not be well-formed. */
  cose(header: Uint8Array, payload: Uint8Array): Promise<Uint8Array<ArrayBuffer>>;
  /** An update of the profile; the given members replace or extend those of the header. */
  update(pack: unknown, header?: object): Promise<string>;
}

export async function mote(alg: Algorithm = "ES256"): Promise<Mote> {
  const pair = (await subtle.generateKey(GENERATE[alg], true, ["sign", "verify"])) as CryptoKeyPair;
  const { kty, crv, x, y } = await subtle.exportKey("jwk", pair.publicKey);
  const jwk = (kty === "EC" ? { kty, crv, x, y } : { kty, crv, x }) as PublicKey;
  const kid = await thumbprint(jwk, subtle);
  const sign = async (header: object | string, payload: Uint8Array | string) => {
    const first = typeof header === "string" ? header : JSON.stringify(header);
    const signed = `${part(first)}.${part(payload)}`;
    const signature = await subtle.sign(
      SIGN[alg],
      pair.privateKey,
      new TextEncoder().encode(signed),
    );
    return `${signed}.${encodeBase64url(new Uint8Array(signature))}`;
  };
  const update = (pack: unknown, header: object = {}) =>
    sign(
      { alg, cty: "application/senml+json", kid, res: "load", seq: 12, ...header },
      JSON.stringify(pack),
    );
  const cose = async (header: Uint8Array, payload: Uint8Array) => {
    const context = new TextEncoder().encode("Signature1");
    const signed = [0x84, 0x6a, ...context, ...bstr(header), 0x40, ...bstr(payload)];
    const signature = await subtle.sign(SIGN[alg], pair.privateKey, Uint8Array.from(signed));
    const octets = [0xd2, 0x84, ...bstr(header), 0xa0, ...bstr(payload)];
    return Uint8Array.from([...octets, ...bstr(new Uint8Array(signature))]);
  };
  return { alg, jwk, kid, sign, cose, update };
}

/** A CBOR byte string of up to 255 octets. */
function bstr(octets: Uint8Array): number[] {
  const head = octets.length < 24 ? [0x40 + octets.length] : [0x58, octets.length];
  return [...head, ...octets];
}

/** The protected header of an update as COSE_Sign1: labels of one octet or of text. */
export function coseHeader(
  alg: number,
  kid: string,
  { res = "load", seq = 12, more = [] as number[] } = {},
): Uint8Array {
  const text = (letters: string) => [0x60 + letters.length, ...new TextEncoder().encode(letters)];
  const number = alg < 0 && alg >= -24 ? [0x1f - alg] : [0x38, -1 - alg];
  return Uint8Array.from([
    ...[0xa5 + (more.length > 0 ? 1 : 0), 1, ...number, 3, 0x18, 112],
    ...[4, ...bstr(decodeBase64url(kid)), ...text("res"), ...text(res), ...text("seq"), seq],
    ...more,
  ]);
}

function part(content: Uint8Array | string): string {
  return encodeBase64url(typeof content === "string" ? new TextEncoder().encode(content) : content);
}

export const LOAD = [{ n: "load", u: "/", v: 0.42 }];

export function claim(changes: Partial<Claim> = {}): Claim {
  return {
    path: "load",
    value: "0.42",
    unit: "/",
    seq: 12,
    pinned: undefined,
    highest: undefined,
    ...changes,
  };
}
