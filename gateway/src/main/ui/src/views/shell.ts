/** Where a resource and its key can be had. */
export interface Place {
  http: string;
  key: string;
  coap: string;
}

/**
 * Where the same resource is on CoAP: the page's own host, CoAP's default port.
 *
 * @param page address of the page
 * @param href path of the resource
 */
export function placeOf(page: URL, httpUrl: string, keyUrl: string, href: string): Place {
  return { http: httpUrl, key: keyUrl, coap: `coap://${page.hostname}:5683${href}` };
}

/**
 * One word of a POSIX shell, whatever is in it: names come from motes, and an operator pastes this
 * into a terminal.
 */
export function quoted(word: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

export function curl({ http }: Place): string {
  return `curl -H 'Accept: application/jose' ${quoted(http)}`;
}

export function coapClient({ coap }: Place): string {
  return `# libcoap's client; Debian calls it coap-client-notls\ncoap-client -m get -A 65100 ${quoted(coap)}`;
}

/** With `jose` (Debian: apt install jose), which does not know EdDSA. */
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

/** With Python and jwcrypto (pip install jwcrypto). */
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
