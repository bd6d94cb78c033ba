/** The media types of an import, and where the gateway found its first error. */
export type ImportFormat = "jwk-set" | "csv";

export const MEDIA_TYPES: Record<ImportFormat, string> = {
  "jwk-set": "application/jwk-set+json",
  csv: "text/csv",
};

/** JSON begins with a brace; no table of keys does. */
export function formatOf(text: string): ImportFormat {
  return /^[\s\ufeff]*\{/.test(text) ? "jwk-set" : "csv";
}

/** The number of keys in a text, an estimate until the gateway reads it. */
export function keysIn(text: string): number | undefined {
  if (formatOf(text) === "csv") {
    const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
    return Math.max(0, lines.length - 1);
  }
  try {
    const { keys } = JSON.parse(text) as { keys?: unknown };
    return Array.isArray(keys) ? keys.length : undefined;
  } catch {
    return undefined;
  }
}

/** A line of the import that the gateway refused. */
export interface WrongLine {
  /** From one. */
  number: number;
  text: string;
}

/** The lines that a problem of the gateway names, as "line 3: ...; line 5: ..." or "keys[2]: ...". */
export function wrongLines(text: string, detail: string): WrongLine[] {
  const lines = text.split(/\r?\n/);
  return [...detail.matchAll(/(?:^|; )(?:line (\d+)|keys\[(\d+)\]):/g)].flatMap(([, line, key]) => {
    const number = line === undefined ? lineOfKey(text, Number(key)) : Number(line);
    return lineAt(lines, number) ?? [];
  });
}

function lineAt(lines: string[], number: number): WrongLine | undefined {
  const text = lines[number - 1];
  return text === undefined ? undefined : { number, text };
}

/** The line on which the object at an index of the array "keys" begins; 0 when there is none. */
function lineOfKey(text: string, index: number): number {
  let depth = 0;
  let quoted = false;
  let line = 1;
  let seen = -1;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (letter === "\n") line++;
    else if (quoted && letter === "\\") at++;
    else if (letter === '"') quoted = !quoted;
    else if (!quoted && (letter === "{" || letter === "[")) {
      // The set is the first level, its array the second, each key the third.
      if (++depth === 3 && letter === "{" && ++seen === index) return line;
    } else if (!quoted && (letter === "}" || letter === "]")) depth--;
  }
  return 0;
}
