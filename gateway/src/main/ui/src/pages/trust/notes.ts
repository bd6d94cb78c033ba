/** The reasons for which the gateway lets a key wait (docs/protocol.md section 6). */
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
