import { useSyncExternalStore } from "react";
import {
  language,
  onLanguage,
  textsOf,
  type Catalogue,
  type Language,
  type Texts,
  type Translation,
} from "../text/language";

export type { Catalogue } from "../text/language";

export function useLanguage(): Language {
  return useSyncExternalStore(onLanguage, language);
}

/** The texts of a catalogue `{ en: {...}, de: {...} }` in the chosen language. */
export function useMessages<T extends Texts>(catalogue: Catalogue<T>): Translation<T> {
  useLanguage();
  return textsOf(catalogue);
}
