import { decodeBase64url, encodeBase64url } from "./base64url.ts";

/** The signature algorithms a mote may use (RFC 7518 section 3.4, RFC 8037). */
export type Algorithm = "ES256" | "ES384" | "EdDSA";

export function isAlgorithm(name: unknown): name is Algorithm {
  return name === "ES256" || name === "ES384" || name === "EdDSA";
}

/** A public key, reduced to the members that its thumbprint covers. */
export type PublicKey =
  | { kty: "EC"; crv: "P-256" | "P-384"; x: string; y: string }
  | { kty: "OKP"; crv: "Ed25519"; x: string };

/** A key that cannot be used; the message continues the sentence "The key ...". */
export class KeyError extends Error {
  /** @param fault unknown: the gateway has no such key; unsupported: by this browser */
  constructor(
    message: string,
    readonly fault: "unusable" | "unknown" | "unsupported" = "unusable",
  ) {
    super(message);
  }
}

const COORDINATE_OCTETS = { "P-256": 32, "P-384": 48, Ed25519: 32 } as const;

/** @throws KeyError when the JWK is malformed or its curve is not supported */
export function readKey(jwk: unknown): PublicKey {
  if (typeof jwk !== "object" || jwk === null) throw new KeyError("is not a JSON object");
  const { kty, crv, x, y } = jwk as Record<string, unknown>;
  if (kty === "EC" && (crv === "P-256" || crv === "P-384")) {
    return { kty, crv, x: coordinate(x, crv), y: coordinate(y, crv) };
  }
  if (kty === "OKP" && crv === "Ed25519") return { kty, crv, x: coordinate(x, crv) };
  throw new KeyError(`has an unsupported type (${String(kty)} ${String(crv)})`);
}

function coordinate(member: unknown, crv: keyof typeof COORDINATE_OCTETS): string {
  if (typeof member !== "string") throw new KeyError("lacks a coordinate");
  let octets: Uint8Array;
  try {
    octets = decodeBase64url(member);
  } catch {
    throw new KeyError("has a coordinate that is not base64url");
  }
  if (octets.length !== COORDINATE_OCTETS[crv]) {
    throw new KeyError(`has a coordinate of ${octets.length} octets`);
  }
  return member;
}

/** The algorithm that a key of this curve signs with. */
export function algorithmOf(key: PublicKey): Algorithm {
  return key.crv === "P-256" ? "ES256" : key.crv === "P-384" ? "ES384" : "EdDSA";
}

/** RFC 7638 with SHA-256, as base64url: 43 characters. */
export async function thumbprint(key: PublicKey, subtle: SubtleCrypto): Promise<string> {
  const { kty, crv, x } = key;
  const members = kty === "EC" ? { crv, kty, x, y: key.y } : { crv, kty, x };
  const text = new TextEncoder().encode(JSON.stringify(members));
  return encodeBase64url(new Uint8Array(await subtle.digest("SHA-256", text)));
}

/**
 * Whether the signature of these octets is valid.
 *
 * @throws KeyError when the point is not on the curve or the browser does not support the curve
 */
export async function signatureIsRight(
  key: PublicKey,
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
  subtle: SubtleCrypto,
): Promise<boolean> {
  // R|S for the NIST curves; an Ed25519 signature also has twice the length of a coordinate.
  if (signature.length !== 2 * COORDINATE_OCTETS[key.crv]) return false;
  const forImport = key.kty === "EC" ? { name: "ECDSA", namedCurve: key.crv } : { name: "Ed25519" };
  const forVerify =
    key.kty === "EC"
      ? { name: "ECDSA", hash: key.crv === "P-256" ? "SHA-256" : "SHA-384" }
      : { name: "Ed25519" };
  let imported: CryptoKey;
  try {
    imported = await subtle.importKey("jwk", { ...key, ext: true }, forImport, false, ["verify"]);
  } catch (problem) {
    const unknown = problem instanceof DOMException && problem.name === "NotSupportedError";
    throw unknown
      ? new KeyError(`is ${key.crv}, which this browser does not support`, "unsupported")
      : new KeyError("is not a point of its curve");
  }
  return subtle.verify(forVerify, imported, signature, signed);
}
