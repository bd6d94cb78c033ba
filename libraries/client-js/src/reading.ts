import { encodeBase64url } from "../../../gateway/web-ui/src/verify/base64url.ts";
import { KeyError, readKey, type PublicKey } from "../../../gateway/web-ui/src/verify/jwk.ts";
import type { SenmlRecord, Value } from "../../../gateway/web-ui/src/verify/senml.ts";
import { BadSignature, KeyChanged, Replayed } from "./errors.ts";
import type { Memory } from "./memory.ts";
import { isSignedBy, parse, subtle, type Original } from "./originals.ts";
import type { components } from "./rest.ts";

export type Endpoint = components["schemas"]["Endpoint"];
export type Resource = components["schemas"]["Resource"];
export type { SenmlRecord, Value };

/** A value that a mote measured, with its evidence. */
export interface Reading {
  endpoint: string;
  domain: string;
  resource: string;
  value: Value;
  unit: string;
  /** When it was measured; undefined if neither the mote nor the gateway says. */
  time: Date | undefined;
  /** The sequence number under which the mote signed it. */
  number: number;
  /** The thumbprint of the mote's key. */
  key: string;
  /** Whether the mote's signature was verified; false only for recovered readings of a history. */
  verified: boolean;
  /** The limits of the proof, in sentences. */
  unproven: string[];
  /** All records of the SenML pack; value and unit belong to the last one. */
  records: SenmlRecord[];
  /** The JWS, or the COSE_Sign1 in base64url: evidence for others. */
  original: string;
}

const DO_NOT_USE = "Do not use it, and report it to the operator of the gateway";

/** Verifies originals against the keys and numbers in memory. */
export class Verifier {
  private readonly keys = new Map<string, PublicKey>();

  /** @param fetchKey the JWK with a thumbprint; rejects with KeyError if the gateway has none */
  constructor(
    readonly memory: Memory,
    private readonly fetchKey: (thumbprint: string) => Promise<unknown>,
  ) {}

  /**
   * Parses an original of the resource. The key that the original names must have signed it.
   *
   * @throws BadSignature
   */
  async check(
    { ep }: Endpoint,
    path: string,
    octets: string | Uint8Array<ArrayBuffer>,
    jwk?: unknown,
  ): Promise<Original> {
    const bad = (why: string) =>
      new BadSignature(`${ep}/${path}: ${why}. ${DO_NOT_USE}.`, ep, path);
    let original: Original;
    let signed: boolean;
    try {
      original = parse(octets);
      signed = await isSignedBy(original, await this.key(original.kid, jwk));
    } catch (problem) {
      const why = problem instanceof KeyError ? `its key ${problem.message}` : "";
      if (why === "" && !(problem instanceof SyntaxError)) throw problem;
      throw bad(`the signed reading cannot be verified: ${why || (problem as Error).message}`);
    }
    if (!signed) {
      throw bad(
        "the signature is wrong: the reading was changed after the mote signed it, or another key signed it",
      );
    }
    if (original.res !== path) throw bad(`the mote signed this reading for ${original.res}`);
    if (original.records.at(-1)?.value === undefined) throw bad("the signed reading has no value");
    return original;
  }

  /** A key is named by its digest, so it is fetched once. */
  private async key(thumbprint: string, jwk: unknown): Promise<PublicKey> {
    const known = this.keys.get(thumbprint);
    if (known !== undefined) return known;
    const key = readKey(jwk ?? (await this.fetchKey(thumbprint)));
    this.keys.set(thumbprint, key);
    return key;
  }

  /**
   * For a caller that named no domain: if the name has keys in memory, one must be of this domain.
   *
   * @throws KeyChanged
   */
  checkDomain({ d, ep, keyThumbprint }: Endpoint): void {
    const domains = this.memory.domains(ep);
    const [known] = domains;
    if (known === undefined || domains.includes(d)) return;
    const { key } = this.memory.key(known, ep) ?? { key: "" };
    throw new KeyChanged(
      `${ep}: the gateway answers with ${ep} in the domain "${d}", but the pinned key ${key} is of ${ep} in the domain "${known}". ` +
        `Give "${known}" as domain, or "${d}" if you mean another mote with the same name.`,
      ep,
      "",
      key,
      keyThumbprint,
    );
  }

  /**
   * Pins the first key.
   *
   * @throws KeyChanged
   */
  checkKey({ d, ep }: Endpoint, path: string, kid: string, others: readonly string[] = []): void {
    const known = this.memory.key(d, ep);
    if (known === undefined) this.memory.pin(d, ep, kid, false);
    else if (known.key !== kid && !others.includes(kid)) {
      const place = d === "" ? "" : `, "${d}"`;
      throw new KeyChanged(
        `${ep}/${path}: the key ${kid} signs for ${ep}, not the pinned ${known.key}. If the mote was replaced or has a new key, ` +
          `compare it with the mote's label, then call trust("${ep}", "${kid}"${place}).`,
        ep,
        path,
        known.key,
        kid,
      );
    }
  }

  /** @throws Replayed */
  async checkNumber({ d, ep }: Endpoint, { jws, res, seq }: Original): Promise<void> {
    const digest = encodeBase64url(new Uint8Array(await subtle.digest("SHA-256", jws.signed)));
    if (this.memory.advance(d, ep, res, seq, digest)) return;
    const highest = this.memory.highest(d, ep, res);
    const what =
      seq === highest
        ? `there are two different readings ${seq}`
        : `reading ${seq} is older than reading ${highest}, which was verified before`;
    throw new Replayed(`${ep}/${res}: ${what}. ${DO_NOT_USE}.`, ep, res);
  }

  /**
   * @param arrived the gateway's statement, for a reading whose signed time is relative to it
   */
  reading({ d, ep }: Endpoint, original: Original, arrived: string | undefined): Reading {
    const { value, unit = "", time = 0 } = original.records.at(-1) ?? {};
    if (value === undefined) throw new TypeError("a checked reading has a value");
    const known = this.memory.key(d, ep);
    const unproven: string[] = [];
    if (known === undefined || (known.key === original.kid && !known.compared)) {
      unproven.push(
        `key: nobody has compared ${original.kid} with the label of ${ep}; give it as pin`,
      );
    }
    if (!original.hasTime) {
      unproven.push(
        "time: the mote signed none; this is when the gateway says that the reading arrived",
      );
    }
    const base = original.hasTime ? 0 : arrived === undefined ? NaN : Date.parse(arrived);
    const moment = new Date(base + time * 1000);
    return {
      endpoint: ep,
      domain: d,
      resource: original.res,
      value,
      unit,
      time: Number.isNaN(moment.getTime()) ? undefined : moment,
      number: original.seq,
      key: original.kid,
      verified: true,
      unproven,
      records: original.records,
      original: original.jws.compact,
    };
  }
}
