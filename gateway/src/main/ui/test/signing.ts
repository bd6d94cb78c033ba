import { encodeBase64url } from "../src/verify/base64url";
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

/** A mote with a fresh key: what it signs is really signed. */
export interface Mote {
  alg: Algorithm;
  jwk: PublicKey;
  kid: string;
  /** A compact JWS over these parts, whatever they are. */
  sign(header: object | string, payload: Uint8Array | string): Promise<string>;
  /** An update as the profile has it; members given replace or add to those of the header. */
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
  return { alg, jwk, kid, sign, update };
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
