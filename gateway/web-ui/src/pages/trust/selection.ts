import type { Key } from "../../gateway/keys";

/** Names a key that waits: a later key of the same endpoint is another one. */
export function identityOf({ endpoint, thumbprint }: Key): string {
  return `${endpoint} ${thumbprint}`;
}

/** Names a set of keys, in any order. */
export function identityOfAll(keys: readonly Key[]): string {
  return keys.map(identityOf).sort().join(", ");
}

/** The keys whose identities were chosen. */
export function selectedOf(keys: readonly Key[], chosen: ReadonlySet<string>): Key[] {
  return keys.filter((key) => chosen.has(identityOf(key)));
}
