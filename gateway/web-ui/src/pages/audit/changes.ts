/** One member of a record that an edit changed; undefined where it was absent. */
export interface MemberChange {
  member: string;
  before: string | undefined;
  after: string | undefined;
}

/** The members that differ between two versions of a record, by their names. */
export function changesOf(before: unknown, after: unknown): MemberChange[] {
  const old = flat(before);
  const present = flat(after);
  return [...new Set([...old.keys(), ...present.keys()])]
    .filter((member) => old.get(member) !== present.get(member))
    .sort()
    .map((member) => ({ member, before: old.get(member), after: present.get(member) }));
}

/** The members of an object as text; a nested one is named "outer.inner". */
function flat(value: unknown, prefix = ""): Map<string, string> {
  const members = new Map<string, string>();
  if (value === undefined || value === null) return members;
  if (typeof value !== "object" || Array.isArray(value)) {
    return members.set(prefix, textOf(value));
  }
  for (const [name, inner] of Object.entries(value)) {
    const path = prefix === "" ? name : `${prefix}.${name}`;
    for (const [member, text] of flat(inner, path)) members.set(member, text);
  }
  return members;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
