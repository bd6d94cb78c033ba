/** Letters of a thumbprint: 32 octets in base64url. */
const LETTERS = 43;
const GROUP = 4;

/** The four bits after the last octet are zero, so only a few letters can be last. */
const THUMBPRINT = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

/** The URI form of RFC 9278, which some labels carry. */
const URI = /^urn:ietf:params:oauth:jwk-thumbprint:sha-256:/i;

/** A thumbprint in groups of four letters, for reading aloud. */
export function grouped(thumbprint: string): string[] {
  return thumbprint.match(new RegExp(`.{1,${GROUP}}`, "gu")) ?? [];
}

export type Typed =
  | { state: "empty" }
  | { state: "thumbprint"; thumbprint: string }
  | { state: "wrong"; letters: number };

/** A fingerprint as typed, or as a scanner read it from a label; white space between groups is ignored. */
export function typedThumbprint(text: string): Typed {
  const letters = text.replace(/\s/g, "").replace(URI, "");
  if (letters === "") return { state: "empty" };
  return THUMBPRINT.test(letters)
    ? { state: "thumbprint", thumbprint: letters }
    : { state: "wrong", letters: letters.length };
}

/** The number of letters of a thumbprint, for messages. */
export const THUMBPRINT_LETTERS = LETTERS;

/** The groups in which two thumbprints differ, counted from zero. */
export function differingGroups(one: string, other: string): Set<number> {
  const others = grouped(other);
  return new Set(grouped(one).flatMap((group, at) => (group === others[at] ? [] : [at])));
}
