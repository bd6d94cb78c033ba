/** Languages of the page. The browser's language decides until the user chooses one. */
export const LANGUAGES = ["en", "de"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Texts by key: a text, a function that builds one, or a group of texts. */
export interface Texts {
  readonly [key: string]: string | ((...values: never[]) => string) | Texts;
}

/** The keys of one language with texts of another. */
export type Translation<T> = {
  readonly [K in keyof T]: T[K] extends (...values: infer V) => string
    ? (...values: V) => string
    : T[K] extends string
      ? string
      : Translation<T[K]>;
};

/** The texts of a part of the page. A key that is missing in German is a compile error. */
export interface Catalogue<T extends Texts> {
  readonly en: T;
  readonly de: Translation<NoInfer<T>>;
}

const ITEM = "vigil.language";

let chosen: Language = "en";
let storage: Pick<Storage, "getItem" | "setItem"> | undefined;
const listeners = new Set<() => void>();

/** Restores the choice; otherwise takes the first known language that the browser prefers. */
export function loadLanguage(
  kept: Pick<Storage, "getItem" | "setItem">,
  preferred: readonly string[],
): void {
  storage = kept;
  chosen =
    known(read(kept)) ?? preferred.map(known).find((language) => language !== undefined) ?? "en";
}

export function language(): Language {
  return chosen;
}

export function chooseLanguage(next: Language): void {
  chosen = next;
  try {
    storage?.setItem(ITEM, next);
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
  for (const listener of listeners) listener();
}

export function onLanguage(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The texts of a catalogue in the chosen language. Components use `useMessages`. */
export function textsOf<T extends Texts>(catalogue: Catalogue<T>): Translation<T> {
  const { en, de }: { en: unknown; de: unknown } = catalogue;
  return (chosen === "en" ? en : de) as Translation<T>;
}

function read(kept: Pick<Storage, "getItem">): string {
  try {
    return kept.getItem(ITEM) ?? "";
  } catch {
    return "";
  }
}

function known(tag: string): Language | undefined {
  const name = tag.toLowerCase().split("-")[0];
  return LANGUAGES.find((language) => language === name);
}
