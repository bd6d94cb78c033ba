/** An attribute of a link; the value is undefined for a flag such as `obs`. */
export interface Attribute {
  name: string;
  value: string | undefined;
}

export interface Link {
  target: string;
  attributes: Attribute[];
}

/** Text that is not in link format; the message says where. */
export class LinkFormatError extends Error {}

const NAME = /[A-Za-z0-9!#$&+\-.^_`|~*]+/y;
const TOKEN = /[A-Za-z0-9!#$%&'()*+\-./:<=>?@[\]^_`{|}~]+/y;

/**
 * Parses the link format (RFC 6690 section 2).
 *
 * @throws LinkFormatError
 */
export function parseLinks(text: string): Link[] {
  const links: Link[] = [];
  if (text === "") return links;
  let at = 0;
  do links.push(link());
  while (skip(","));
  if (at < text.length) throw wrong("a comma or semicolon is missing");
  return links;

  function link(): Link {
    if (!skip("<")) throw wrong("a link begins with <");
    const end = text.indexOf(">", at);
    if (end < 0) throw wrong("> is missing");
    const target = text.slice(at, end);
    at = end + 1;
    const attributes: Attribute[] = [];
    while (skip(";")) attributes.push(attribute());
    return { target, attributes };
  }

  function attribute(): Attribute {
    const name = match(NAME);
    if (name === undefined) throw wrong("an attribute has no name");
    if (!skip("=")) return { name, value: undefined };
    if (skip('"')) return { name, value: quoted() };
    const value = match(TOKEN);
    if (value === undefined) throw wrong(`attribute ${name} has no value`);
    return { name, value };
  }

  function quoted(): string {
    let value = "";
    for (;;) {
      const letter = text[at++];
      if (letter === undefined) throw wrong("a quote is not closed");
      if (letter === '"') return value;
      value += letter === "\\" ? (text[at++] ?? "") : letter;
    }
  }

  function match(what: RegExp): string | undefined {
    what.lastIndex = at;
    const found = what.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  }

  function skip(letter: string): boolean {
    if (text[at] !== letter) return false;
    at++;
    return true;
  }

  function wrong(what: string): LinkFormatError {
    return new LinkFormatError(`character ${at + 1}: ${what}`);
  }
}

/** All values of an attribute, joined by spaces; undefined without any. */
export function valueOf(link: Link, name: string): string | undefined {
  const values = link.attributes.flatMap((one) => (one.name === name ? [one.value ?? ""] : []));
  return values.length === 0 ? undefined : values.join(" ");
}
