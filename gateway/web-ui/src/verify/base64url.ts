const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const VALUE_OF = new Map([...ALPHABET].map((letter, value) => [letter, value]));

/**
 * Octets of base64url without padding (RFC 7515 section 2).
 *
 * Only the canonical form is accepted; otherwise one signature could have two texts.
 *
 * @throws SyntaxError for padding, white space, other letters, impossible lengths and left-over
 *     bits
 */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> {
  if (text.length % 4 === 1) throw new SyntaxError("base64url of an impossible length");
  const octets = new Uint8Array(Math.floor((text.length * 3) / 4));
  let bits = 0;
  let buffer = 0;
  let at = 0;
  for (const letter of text) {
    const value = VALUE_OF.get(letter);
    if (value === undefined) throw new SyntaxError("a letter that base64url does not have");
    buffer = (buffer << 6) | value;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      octets[at++] = buffer >> bits;
      buffer &= (1 << bits) - 1;
    }
  }
  if (buffer !== 0) throw new SyntaxError("base64url with left-over bits");
  return octets;
}

export function encodeBase64url(octets: Uint8Array): string {
  let text = "";
  for (let at = 0; at < octets.length; at += 3) {
    const [first = 0, second = 0, third = 0] = octets.subarray(at, at + 3);
    const group = (first << 16) | (second << 8) | third;
    const letters = Math.min(octets.length - at, 3) + 1;
    for (let n = 0; n < letters; n++) text += ALPHABET.charAt((group >> (18 - 6 * n)) & 63);
  }
  return text;
}
