import { textsOf } from "./language";

/** Names of the kinds of alarms. */
export const alarmKindMessages = {
  en: {
    missing: "endpoint missing",
    value: "value out of limits",
    battery: "battery low",
    rejections: "rejections",
    "radio-lost": "radio lost",
    "keys-waiting": "keys waiting",
    store: "store failing",
    disk: "disk nearly full",
    clock: "clock was set",
    certificate: "certificate expires",
    northbound: "deliveries fail",
  },
  de: {
    missing: "Endpunkt fehlt",
    value: "Wert außerhalb der Grenzen",
    battery: "Batterie schwach",
    rejections: "Ablehnungen",
    "radio-lost": "Funkmodul ausgefallen",
    "keys-waiting": "Schlüssel warten",
    store: "Speicher fehlerhaft",
    disk: "Platte fast voll",
    clock: "Uhr wurde verstellt",
    certificate: "Zertifikat läuft ab",
    northbound: "Lieferungen scheitern",
  },
};

/** A kind of alarm in the chosen language; the API's own name where this page knows none. */
export function alarmKindWord(kind: string): string {
  const words: Readonly<Record<string, string>> = textsOf(alarmKindMessages);
  return words[kind] ?? kind;
}
