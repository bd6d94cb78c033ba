/**
 * The interface identifier of an IPv6 address, 16 hexadecimal digits; empty when it is none.
 * Addresses of the mesh are made from the EUI-64 of their node (RFC 4944 section 6).
 */
export function interfaceId(address: string): string {
  const [head = "", tail, ...more] = address.split("%")[0]?.split("::") ?? [];
  if (more.length > 0) return "";
  const left = groups(head);
  const right = tail === undefined ? [] : groups(tail);
  const missing = 8 - left.length - right.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return "";
  const all = [...left, ...Array<string>(Math.max(0, missing)).fill("0"), ...right];
  return all.every((group) => /^[0-9a-f]{1,4}$/i.test(group))
    ? all
        .slice(4)
        .map((group) => group.padStart(4, "0"))
        .join("")
        .toLowerCase()
    : "";
}

function groups(part: string): string[] {
  return part === "" ? [] : part.split(":");
}

/** The interface identifier that a node with an EUI-64 has: its universal/local bit is inverted. */
export function interfaceIdOf(eui64: string): string {
  const digits = eui64.replace(/[^0-9a-f]/gi, "").toLowerCase();
  if (digits.length !== 16) return "";
  const first = (Number.parseInt(digits.slice(0, 2), 16) ^ 2).toString(16).padStart(2, "0");
  return first + digits.slice(2);
}

/** A short name for a picture: the last group of the identifier, which distinguishes nodes. */
export function shortName(id: string): string {
  return id === "" ? "?" : id.slice(-4);
}
