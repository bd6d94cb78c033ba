// Readers of JSON of the API: a missing member is empty or undefined, a member of another shape is
// a SyntaxError.
export type Json = Record<string, unknown>;

export function list(json: unknown): Json[] {
  return Array.isArray(json) ? json.map(object) : [];
}

export function texts(json: unknown): string[] {
  return Array.isArray(json) ? json.map(text) : [];
}

export function object(json: unknown): Json {
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw new SyntaxError("not a JSON object");
  }
  return json as Json;
}

export function text(json: unknown): string {
  if (json === undefined || json === null) return "";
  if (typeof json === "string") return json;
  if (typeof json === "number" || typeof json === "boolean") return String(json);
  throw new SyntaxError("not a text");
}

export function number(json: unknown): number | undefined {
  return typeof json === "number" && Number.isFinite(json) ? json : undefined;
}

export function positive(json: unknown): number | undefined {
  const read = number(json);
  return read !== undefined && read > 0 ? read : undefined;
}

/** Milliseconds since 1970. */
export function instant(json: unknown): number | undefined {
  const read = typeof json === "string" ? Date.parse(json) : NaN;
  return Number.isNaN(read) ? undefined : read;
}

export function oneOf<T extends string>(names: readonly T[], json: unknown): T | undefined {
  return names.find((name) => name === json);
}
