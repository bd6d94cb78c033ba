import { algorithmOf, KeyError, readKey, thumbprint, type PublicKey } from "../verify/jwk.ts";
import type { CommanderKey } from "./command.ts";

const DATABASE = "vigil";
const KEYS = "commanders";

/** A key of this browser with its public half, which the gateway must know. */
export interface KeyWithPublicHalf {
  commander: CommanderKey;
  jwk: PublicKey;
}

/**
 * Imports a private key in JWK form. The browser never gives its secret back, not even to this page.
 *
 * @throws KeyError when it is not a private key of a curve for signing commands
 */
export async function importCommander(
  text: string,
  subtle: SubtleCrypto,
): Promise<KeyWithPublicHalf> {
  let jwk: unknown;
  try {
    jwk = JSON.parse(text);
  } catch {
    throw new KeyError("is not JSON");
  }
  const known = readKey(jwk);
  const { d } = jwk as { d?: unknown };
  if (typeof d !== "string") throw new KeyError("is a public key: the member d is missing");
  const imported = { ...known, d, ext: false };
  let key: CryptoKey;
  try {
    key = await subtle.importKey("jwk", imported, forImport(known), false, ["sign"]);
  } catch {
    throw new KeyError("is not a private key that this browser can use");
  }
  const commander = { kid: await thumbprint(known, subtle), alg: algorithmOf(known), key };
  return { commander, jwk: known };
}

/** Creates a key whose secret nobody can read. */
export async function makeCommander(subtle: SubtleCrypto): Promise<KeyWithPublicHalf> {
  const pair = await subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign"]);
  const jwk = readKey(await subtle.exportKey("jwk", pair.publicKey));
  const kid = await thumbprint(jwk, subtle);
  return { commander: { kid, alg: algorithmOf(jwk), key: pair.privateKey }, jwk };
}

function forImport(key: PublicKey): EcKeyImportParams | Algorithm {
  return key.kty === "EC" ? { name: "ECDSA", namedCurve: key.crv } : { name: "Ed25519" };
}

/** The commanders' keys that this browser keeps. */
export class CommanderKeys {
  constructor(private readonly factory: IDBFactory) {}

  async all(): Promise<CommanderKey[]> {
    return this.run("readonly", (keys) => keys.getAll() as IDBRequest<CommanderKey[]>);
  }

  async keep(commander: CommanderKey): Promise<void> {
    await this.run("readwrite", (keys) => keys.put(commander));
  }

  async forget(kid: string): Promise<void> {
    await this.run("readwrite", (keys) => keys.delete(kid));
  }

  private async run<T>(
    mode: IDBTransactionMode,
    action: (keys: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T> {
    const database = await this.open();
    try {
      return await done(action(database.transaction(KEYS, mode).objectStore(KEYS)));
    } finally {
      database.close();
    }
  }

  private open(): Promise<IDBDatabase> {
    const request = this.factory.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(KEYS, { keyPath: "kid" });
    return done(request);
  }
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the browser's storage failed"));
  });
}
