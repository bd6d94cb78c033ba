import { textsOf } from "./language";

/** The reasons why a key waits (docs/protocol.md section 6). */
export type Note =
  | { kind: "approval" | "otherKey" | "directory" | "formerRevoked" | "rotation" }
  | { kind: "elsewhere"; owner: string }
  /** A reason that this page does not know. */
  | { kind: "other"; text: string };

const FIXED = {
  "waits for approval": "approval",
  "another key asks for the name": "otherKey",
  "the endpoint registered in the directory itself": "directory",
  "the name's former key is revoked": "formerRevoked",
} as const;

export function noteOf(text: string): Note {
  const kind = Object.entries(FIXED).find(([note]) => note === text)?.[1];
  if (kind !== undefined) return { kind };
  if (text.startsWith("rotation from ")) return { kind: "rotation" };
  const owner = /^the key is that of (.+)$/s.exec(text)?.[1];
  return owner === undefined ? { kind: "other", text } : { kind: "elsewhere", owner };
}

/** The reason in the chosen language; the gateway's own text for unknown reasons. */
export function noteText(text: string): string {
  const words = textsOf(noteMessages);
  const note = noteOf(text);
  switch (note.kind) {
    case "other":
      return note.text;
    case "elsewhere":
      return words.elsewhere(note.owner);
    case "approval":
    case "otherKey":
    case "directory":
    case "formerRevoked":
    case "rotation":
      return words[note.kind];
  }
}

const noteMessages = {
  en: {
    approval: "The key is new, and its domain requires approval.",
    otherKey:
      "Another key has this name and stays valid. If nobody replaced the mote or its key, someone may be impersonating it.",
    elsewhere: (owner: string) =>
      `The same key belongs to ${owner}. A key identifies one endpoint: the mote may have been renamed, or its key copied.`,
    directory: "The endpoint had registered in the directory itself, without a signature.",
    formerRevoked: "The previous key of the name is revoked.",
    rotation:
      "The current key signed this change, but the domain requires an operator to approve rotations.",
  },
  de: {
    approval: "Er ist neu: Die Schlüssel der Domäne brauchen eine Freigabe.",
    otherKey:
      "Ein anderer Schlüssel hat diesen Namen und bleibt gültig. Wenn niemand den Sensor oder seinen Schlüssel ersetzt hat, gibt sich vielleicht jemand für ihn aus.",
    elsewhere: (owner: string) =>
      `Derselbe Schlüssel gehört zu ${owner}. Ein Schlüssel benennt einen Endpunkt: Wurde ein Sensor umbenannt oder sein Schlüssel kopiert?`,
    directory: "Der Endpunkt hatte sich selbst im Verzeichnis registriert, ohne Signatur.",
    formerRevoked: "Der frühere Schlüssel des Namens ist widerrufen.",
    rotation:
      "Der jetzige Schlüssel hat diesen Wechsel signiert; in der Domäne muss er freigegeben werden.",
  },
};
