/** The octets (DER) of the first certificate in a PEM file; undefined without one. */
export function derOf(pem: string): Uint8Array<ArrayBuffer> | undefined {
  const body = /-----BEGIN CERTIFICATE-----([\sA-Za-z0-9+/=]+)-----END CERTIFICATE-----/.exec(
    pem,
  )?.[1];
  if (body === undefined) return undefined;
  return Uint8Array.from(atob(body.replace(/\s/g, "")), (character) => character.charCodeAt(0));
}

/** The SHA-256 fingerprint as openssl prints it, such as "AB:CD:…". */
export async function fingerprintOf(
  der: Uint8Array<ArrayBuffer>,
  subtle: SubtleCrypto,
): Promise<string> {
  const digest = new Uint8Array(await subtle.digest("SHA-256", der));
  return Array.from(digest, (octet) => octet.toString(16).toUpperCase().padStart(2, "0")).join(":");
}
