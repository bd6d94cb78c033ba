/** Faults of the name of a new domain (docs/protocol.md section 2). */
export type NameFault = "needed" | "long" | "dot" | "slash" | "hyphen" | "hidden" | "spaces";

const MAX_OCTETS = 63;

/** The typed name in the form that the gateway accepts. */
export function typedName(text: string): string {
  return text.trim().normalize("NFC");
}

/** @param name as {@link typedName} gives it */
export function nameFault(name: string): NameFault | undefined {
  if (name === "") return "needed";
  if (new TextEncoder().encode(name).length > MAX_OCTETS) return "long";
  if (name.startsWith(".")) return "dot";
  // Paths of the API cannot contain one, not even escaped.
  if (/[/\\]/.test(name)) return "slash";
  // The API's name of the domain without a name.
  if (name === "-") return "hyphen";
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(name)) return "hidden";
  return / {2}|(?! )\p{Zs}/u.test(name) ? "spaces" : undefined;
}
