import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Storage } from "./memory.ts";

const WRITE_DELAY = 1000;

/** Keys and numbers in a file. */
export interface FileMemory extends Storage {
  /** Writes what has changed. */
  save(): void;
}

/**
 * Keeps keys and numbers in a file, which is written a second after a change, and when the process
 * exits.
 *
 * @throws SyntaxError for a file that cannot be read: a client that forgot its keys would trust anyone
 */
export function fileMemory(path: string): FileMemory {
  const items = new Map<string, string>(
    existsSync(path)
      ? Object.entries(JSON.parse(readFileSync(path, "utf8")) as Record<string, string>)
      : [],
  );
  let waiting: NodeJS.Timeout | undefined;
  const save = () => {
    if (waiting === undefined) return;
    clearTimeout(waiting);
    waiting = undefined;
    writeFileSync(`${path}.new`, JSON.stringify(Object.fromEntries(items), null, 1));
    renameSync(`${path}.new`, path);
  };
  process.once("exit", save);
  return {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => {
      items.set(name, value);
      waiting ??= setTimeout(save, WRITE_DELAY).unref();
    },
    save,
  };
}
