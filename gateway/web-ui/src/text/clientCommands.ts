/** The URLs of a resource and of its key. */
export interface Place {
  http: string;
  key: string;
  /** Undefined where the gateway serves no CoAP without DTLS, or its address is not known yet. */
  coap: string | undefined;
  /** The form of the signed original, which a client must request. */
  form: Form;
  /** Whether the gateway requires credentials: the variable VIGIL_TOKEN then contains a token. */
  token: boolean;
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
  return { http: httpUrl, key: keyUrl, coap, form, token: false };
}

/**
 * The address of the gateway's CoAP server.
 *
 * @param page the address of this page: its host replaces loopback, which stands for all addresses
 *     of the gateway
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

/** The credentials option of curl with a leading blank; empty without a token. */
export function bearer(token: boolean): string {
  return token ? ' -H "Authorization: Bearer $VIGIL_TOKEN"' : "";
}

/** The headers of a Python program's requests. */
function headers(token: boolean, accept?: string): string {
  const members = [
    ...(accept === undefined ? [] : [`"Accept": "${accept}"`]),
    ...(token ? ['"Authorization": "Bearer " + environ["VIGIL_TOKEN"]'] : []),
  ];
  return `{${members.join(", ")}}`;
}

export function curl({ http, form, token }: Place): string {
  // Binary data goes into a file, because it could control the terminal.
  const into = form === "JWS" ? "" : " -o reading.cose";
  return `curl${bearer(token)} -H 'Accept: ${MEDIA[form]}' ${quoted(http)}${into}`;
}

/** Undefined without a CoAP URL. */
export function coapClient({ coap, form }: Place): string | undefined {
  if (coap === undefined) return undefined;
  const into = form === "JWS" ? "" : " -o reading.cose";
  return `# libcoap's client (Debian: apt install libcoap3-bin)\ncoap-client-notls -m get -A ${NUMBERS[form]}${into} ${quoted(coap)}`;
}

/** Verification with `jose` (Debian: apt install jose), which does not support EdDSA. */
export function withJose({ http, key, token }: Place): string {
  return [
    `curl -s${bearer(token)} -H 'Accept: application/jose' ${quoted(http)} -o reading.jws`,
    `curl -s${bearer(token)} ${quoted(key)} -o key.jwk`,
    "# This must be the thumbprint you trust:",
    "jose jwk thp -a S256 -i key.jwk; echo",
    "# This prints the payload only if it verifies:",
    "jose jws ver -i reading.jws -k key.jwk -O-",
  ].join("\n");
}

/** Verification with Python and jwcrypto (pip install jwcrypto). */
export function withPython({ http, key, token }: Place, kid: string): string {
  return [
    ...(token ? ["from os import environ"] : []),
    "from urllib.request import Request, urlopen",
    "from jwcrypto import jwk, jws",
    "",
    `reading = Request(${JSON.stringify(http)}, headers=${headers(token, "application/jose")})`,
    `key = Request(${JSON.stringify(key)}, headers=${headers(token)})`,
    "key = jwk.JWK.from_json(urlopen(key).read())",
    `assert key.thumbprint() == ${JSON.stringify(kid)}`,
    "signed = jws.JWS()",
    "signed.deserialize(urlopen(reading).read().decode())",
    "signed.verify(key)",
    "print(signed.jose_header, signed.payload)",
  ].join("\n");
}

/** Verification of a COSE_Sign1 with Python (pip install cbor2 jwcrypto). */
export function withPythonCose({ http, key, token }: Place, kid: string, alg: string): string {
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
    ...(token ? ["from os import environ"] : []),
    "from urllib.request import Request, urlopen",
    "from cbor2 import dumps, loads",
    "from jwcrypto import jwk",
    "",
    `reading = Request(${JSON.stringify(http)}, headers=${headers(token, "application/cose")})`,
    `key = Request(${JSON.stringify(key)}, headers=${headers(token)})`,
    "key = jwk.JWK.from_json(urlopen(key).read())",
    `assert key.thumbprint() == ${JSON.stringify(kid)}`,
    "public = key.get_op_key('verify')",
    "whole = loads(urlopen(reading).read())",
    "header, _, payload, signature = getattr(whole, 'value', whole)",
    "signed = dumps(['Signature1', header, b'', payload])",
    ...verify,
    "print(loads(header), loads(payload))",
  ].join("\n");
}
