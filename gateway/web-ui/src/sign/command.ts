import { encodeBase64url } from "../verify/base64url.ts";
import type { Algorithm } from "../verify/jwk.ts";

/** The content of a command (docs/protocol.md section 8). */
export interface CommandText {
  ep: string;
  /** Empty for the domain without a name. */
  d: string;
  /** Path of the resource, percent-encoded. */
  res: string;
  /** Above the endpoint's last command. */
  seq: number;
  /** Unix time in seconds; undefined: it does not expire. */
  exp: number | undefined;
  value: number | boolean | string;
}

/** A private key that signs commands; its secret stays in the browser. */
export interface CommanderKey {
  /** Thumbprint of the public key. */
  kid: string;
  alg: Algorithm;
  key: CryptoKey;
}

const FOR_SIGNING = {
  ES256: { name: "ECDSA", hash: "SHA-256" },
  ES384: { name: "ECDSA", hash: "SHA-384" },
  EdDSA: { name: "Ed25519" },
} as const;

/** A command as a compact JWS, signed in this browser. */
export async function signCommand(
  command: CommandText,
  { kid, alg, key }: CommanderKey,
  subtle: SubtleCrypto,
): Promise<string> {
  const { ep, d, res, seq, exp } = command;
  const header = {
    alg,
    typ: "vigil-cmd",
    cty: "application/senml+json",
    kid,
    ep,
    ...(d === "" ? {} : { d }),
    res,
    seq,
    ...(exp === undefined ? {} : { exp }),
  };
  const signed = `${part(header)}.${part([record(command)])}`;
  // WebCrypto's form of an ECDSA signature is the one of JWS: R and S, one after the other.
  const signature = await subtle.sign(FOR_SIGNING[alg], key, new TextEncoder().encode(signed));
  return `${signed}.${encodeBase64url(new Uint8Array(signature))}`;
}

function part(json: object): string {
  return encodeBase64url(new TextEncoder().encode(JSON.stringify(json)));
}

function record({ res, value }: CommandText): object {
  switch (typeof value) {
    case "number":
      return { n: res, v: value };
    case "boolean":
      return { n: res, vb: value };
    case "string":
      return { n: res, vs: value };
  }
}

/** A typed value: a number, true or false, otherwise a text. */
export function valueOf(typed: string): number | boolean | string {
  const word = typed.trim();
  if (word === "true" || word === "false") return word === "true";
  const number = Number(word.replace(",", "."));
  return word !== "" && Number.isFinite(number) ? number : typed;
}
