/** The URLs of a resource and of its key. */
export interface Place {
  http: string;
  key: string;
  /** Undefined where the gateway serves no CoAP without DTLS, or its address is not known yet. */
  coap: string | undefined;
  /** The form of the signed original, which a client must request. */
  form: Form;
}

export type Form = "JWS" | "COSE_Sign1";
const MEDIA = { JWS: "application/jose", COSE_Sign1: "application/cose" } as const;
const NUMBERS = { JWS: 65100, COSE_Sign1: 18 } as const;

/**
 * @param coapBase address of the gateway's CoAP server; undefined where there is none
 * @param href path of the resource
 */
export function placeOf(
  coapBase: string | undefined,
  httpUrl: string,
  keyUrl: string,
  href: string,
  form: Form = "JWS",
): Place {
  const coap = coapBase === undefined ? undefined : coapBase + href;
  return { http: httpUrl, key: keyUrl, coap, form };
}

/**
 * The address of the gateway's CoAP server.
 *
 * @param page the address of this page: its host is taken where the gateway names loopback, which
 *     stands for all addresses
 * @param addresses at which the gateway listens
 */
export function coapBase(page: URL, addresses: readonly string[]): string | undefined {
  const found = addresses.find((address) => /^coap:\/\/(?!\[fe80:)/i.test(address));
  if (found === undefined) return undefined;
  const port = /:(\d+)$/.exec(found)?.[1];
  const remote = !/^(localhost|127\..*|\[::1\])$/.test(page.hostname);
  return remote && port !== undefined ? `coap://${page.hostname}:${port}` : found;
}

/**
 * Quotes a word for a POSIX shell: names come from motes, and an operator pastes the command into a
 * terminal.
 */
export function quoted(word: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

export function curl({ http, form }: Place): string {
  // Binary data goes into a file, because it could control the terminal.
  const into = form === "JWS" ? "" : " -o reading.cose";
  return `curl -H 'Accept: ${MEDIA[form]}' ${quoted(http)}${into}`;
}

/** Undefined without a CoAP URL. */
export function coapClient({ coap, form }: Place): string | undefined {
  if (coap === undefined) return undefined;
  const into = form === "JWS" ? "" : " -o reading.cose";
  return `# libcoap's client; Debian calls it coap-client-notls\ncoap-client -m get -A ${NUMBERS[form]}${into} ${quoted(coap)}`;
}

/** Verification with `jose` (Debian: apt install jose), which does not support EdDSA. */
export function withJose({ http, key }: Place): string {
  return [
    `curl -s -H 'Accept: application/jose' ${quoted(http)} -o reading.jws`,
    `curl -s ${quoted(key)} -o key.jwk`,
    "# This must be the thumbprint you trust:",
    "jose jwk thp -a S256 -i key.jwk; echo",
    "# This prints the payload only if it verifies:",
    "jose jws ver -i reading.jws -k key.jwk -O-",
  ].join("\n");
}

/** Verification with Python and jwcrypto (pip install jwcrypto). */
export function withPython({ http, key }: Place, kid: string): string {
  return [
    "from urllib.request import Request, urlopen",
    "from jwcrypto import jwk, jws",
    "",
    `reading = Request(${JSON.stringify(http)}, headers={"Accept": "application/jose"})`,
    `key = jwk.JWK.from_json(urlopen(${JSON.stringify(key)}).read())`,
    `assert key.thumbprint() == ${JSON.stringify(kid)}`,
    "signed = jws.JWS()",
    "signed.deserialize(urlopen(reading).read().decode())",
    "signed.verify(key)",
    "print(signed.jose_header, signed.payload)",
  ].join("\n");
}

/** Verification of a COSE_Sign1 with Python (pip install cbor2 jwcrypto). */
export function withPythonCose({ http, key }: Place, kid: string, alg: string): string {
  const verify =
    alg === "EdDSA"
      ? ["public.verify(signature, signed)"]
      : [
          "from cryptography.hazmat.primitives import hashes",
          "from cryptography.hazmat.primitives.asymmetric import ec, utils",
          "half = len(signature) // 2",
          "r, s = (int.from_bytes(part, 'big') for part in (signature[:half], signature[half:]))",
          `check = ec.ECDSA(hashes.SHA${alg === "ES384" ? 384 : 256}())`,
          "public.verify(utils.encode_dss_signature(r, s), signed, check)",
        ];
  return [
    "from urllib.request import Request, urlopen",
    "from cbor2 import dumps, loads",
    "from jwcrypto import jwk",
    "",
    `reading = Request(${JSON.stringify(http)}, headers={"Accept": "application/cose"})`,
    `key = jwk.JWK.from_json(urlopen(${JSON.stringify(key)}).read())`,
    `assert key.thumbprint() == ${JSON.stringify(kid)}`,
    "public = key.get_op_key('verify')",
    "whole = loads(urlopen(reading).read())",
    "header, _, payload, signature = getattr(whole, 'value', whole)",
    "signed = dumps(['Signature1', header, b'', payload])",
    ...verify,
    "print(loads(header), loads(payload))",
  ].join("\n");
}
