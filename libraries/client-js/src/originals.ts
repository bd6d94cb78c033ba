import { parseCose } from "../../../gateway/web-ui/src/verify/cose.ts";
import {
  algorithmOf,
  KeyError,
  signatureIsRight,
  thumbprint,
  type PublicKey,
} from "../../../gateway/web-ui/src/verify/jwk.ts";
import { parseJws, readUpdateHeader, type Jws } from "../../../gateway/web-ui/src/verify/jws.ts";
import { readSenml, type SenmlRecord } from "../../../gateway/web-ui/src/verify/senml.ts";

export const { subtle } = globalThis.crypto;

/** SenML times below are relative to arrival (RFC 8428 section 4.5.3). */
const RELATIVE_BELOW = 2 ** 28;

/** A well-formed original (docs/protocol.md section 4) whose signature is not verified yet. */
export interface Original {
  jws: Jws;
  kid: string;
  res: string;
  seq: number;
  ack: number | undefined;
  records: SenmlRecord[];
  /** Whether the mote signed the time of the measurement, not only its age at the arrival. */
  hasTime: boolean;
}

/**
 * @param octets the text of a JWS, or the octets of a COSE_Sign1
 * @throws SyntaxError
 */
export function parse(octets: string | Uint8Array<ArrayBuffer>): Original {
  try {
    const jws = typeof octets === "string" ? parseJws(octets) : parseCose(octets);
    // Commands and registrations are signed by the same kinds of keys.
    for (const member of ["typ", "epk"]) {
      if (Object.hasOwn(jws.header, member)) throw new SyntaxError(`the header has ${member}`);
    }
    const { kid, res, seq, cty } = readUpdateHeader(jws.header);
    const records = readSenml(jws.payload, cty);
    const { ack } = jws.header;
    return {
      jws,
      kid,
      res,
      seq,
      ack: typeof ack === "number" ? ack : undefined,
      records,
      hasTime: (records.at(-1)?.time ?? 0) >= RELATIVE_BELOW,
    };
  } catch (problem) {
    // TextDecoder throws a TypeError for octets that are not UTF-8.
    if (problem instanceof TypeError) throw new SyntaxError("not UTF-8");
    throw problem;
  }
}

/** @throws KeyError when the original names another key, or the key cannot be used */
export async function isSignedBy(original: Original, key: PublicKey): Promise<boolean> {
  if ((await thumbprint(key, subtle)) !== original.kid) {
    throw new KeyError("is another one than the reading names");
  }
  if (algorithmOf(key) !== original.jws.header["alg"]) {
    throw new KeyError(`is ${key.crv}, but the reading says ${String(original.jws.header["alg"])}`);
  }
  return signatureIsRight(key, original.jws.signature, original.jws.signed, subtle);
}
