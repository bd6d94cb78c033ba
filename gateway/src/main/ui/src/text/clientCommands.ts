/** The URLs of a resource and of its key. */
export interface Place {
  http: string;
  key: string;
  coap: string;
  /** The form of the signed original, which a client must request. */
  form: Form;
}

export type Form = "JWS" | "COSE_Sign1";
const MEDIA = { JWS: "application/jose", COSE_Sign1: "application/cose" } as const;
const NUMBERS = { JWS: 65100, COSE_Sign1: 18 } as const;

/**
 * The CoAP URL is that of the page's host with CoAP's default port.
 *
 * @param page address of the page
 * @param href path of the resource
 */
export function placeOf(
  page: URL,
  httpUrl: string,
  keyUrl: string,
  href: string,
  form: Form = "JWS",
): Place {
  return { http: httpUrl, key: keyUrl, coap: `coap://${page.hostname}:5683${href}`, form };
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

export function coapClient({ coap, form }: Place): string {
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
