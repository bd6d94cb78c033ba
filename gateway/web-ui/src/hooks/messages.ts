import { useSyncExternalStore } from "react";
import { displayUnits, onUnits, unitsInForce } from "../text/displayUnits";
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

/** The units in which numbers are shown. */
export function useUnits(): string[] {
  useSyncExternalStore(onUnits, displayUnits);
  return unitsInForce();
}

export function useLanguage(): Language {
  return useSyncExternalStore(onLanguage, language);
}

/** The texts of a catalogue `{ en: {...}, de: {...} }` in the chosen language. */
export function useMessages<T extends Texts>(catalogue: Catalogue<T>): Translation<T> {
  useLanguage();
  return textsOf(catalogue);
}
