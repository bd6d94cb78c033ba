import type { LEVELS } from "./settingsDraft";
import type { Member, RadioKind, Source } from "./stored";

const source: Record<Source, string> = {
  default: "default",
  demo: "set by --demo",
  store: "stored here",
  file: "settings file",
  environment: "environment",
  option: "command-line option",
};
const member: Record<Member, string> = {
  radios: "Radios",
  filter: "Filter rules",
  linkSecurity: "Link key",
};
const kind: Record<RadioKind, string> = {
  serial: "serial port (slip-radio)",
  tcp: "TCP (slip-radio)",
  zep: "ZEP (simulated ether)",
  "tunslip6-serial": "serial port (border router, tunslip6)",
  "tunslip6-tcp": "TCP (border router, tunslip6)",
  virtual: "virtual, on this machine",
};
const level: Record<(typeof LEVELS)[number], string> = {
  "1": "1: integrity, 4 octets",
  "2": "2: integrity, 8 octets",
  "3": "3: integrity, 16 octets",
  "5": "5: encryption, integrity of 4 octets (usual)",
  "6": "6: encryption, integrity of 8 octets",
  "7": "7: encryption, integrity of 16 octets",
};

const en = {
  title: "Settings of the network",
  explain:
    "The settings file takes precedence, then the settings that administrators store here, then the defaults. The gateway applies them when it starts.",
  member,
  source,
  problemTitle: "The stored settings could not be used",
  problemWhat: (why: string) =>
    `The gateway runs without a radio because of this error: ${why}. Edit or remove the settings, then restart the gateway.`,
  restart: "The stored settings take effect when the gateway is restarted.",
  none: "none",
  defaultRules: "default rules: CoAP and CoAPS to motes, UDP from motes, ESP, AH and echo requests",
  notShown: "not set here",
  notSecured: "frames are not secured",
  secured: (security: string) => `frames are secured, level ${security}; the key is never shown`,
  keyIndexOf: (index: number) => `, key index ${index}`,
  edit: "Edit",
  editTitle: "Settings of the network",
  remove: "Remove stored settings",
  removeTitle: "Remove the stored settings?",
  removeWhat:
    "Stored radios, filter rules and the link key are lost; the key cannot be recovered. From the next start on, the settings file and the defaults apply. Without a link key, frames are not secured, and motes that secure their frames are not heard.",
  fromFile: (where: string) =>
    `Not set here (${where}): change it there. Stored settings have no effect.`,
  radio: (number: number) => `Radio ${number}`,
  field: { kind: "Kind", port: "Port", device: "Device", baud: "Baud rate", host: "Host" },
  kind,
  addRadio: "Add a radio",
  removeRadio: (number: number) => `Remove radio ${number}`,
  filterHelp:
    "One rule per line; the first match decides: allow or deny, in, out or both, then any, echo, esp, ah, udp or tcp with ports, from and to PREFIX. Empty: the default rules.",
  rule: (number: number, fault: string) => `Rule ${number}: ${fault}`,
  linkSecurity: "802.15.4 security of frames",
  off: "frames are not secured",
  on: "frames are secured with the link key",
  key: "Link key",
  keyHelp: "32 hexadecimal digits. It is stored sealed and never shown again.",
  keyStays: "Leave empty to keep the stored key.",
  levelLabel: "Security level",
  level,
  keyIndex: "Key index",
  keyIndexHelp: "0 to 255, as on the motes. Leave empty if frames carry no key index.",
  fault: {
    port: "Enter a whole number from 0 to 65535.",
    baud: "Enter a whole number of at least 1.",
    key: "Enter 32 hexadecimal digits.",
    noKey: "Enter the key: none is stored.",
    keyIndex: "Enter a whole number from 0 to 255.",
  },
  save: "Store",
  cancel: "Cancel",
  close: "Close",
  stored: "The settings are stored.",
  removed: "The stored settings are removed.",
};

const de: typeof en = {
  title: "Einstellungen des Netzes",
  explain:
    "Die Einstellungsdatei hat Vorrang, wo sie etwas nennt; dann kommt, was die Verwaltung hier speichert, dann die Vorgaben. Das Gateway übernimmt sie beim Start.",
  member: { radios: "Funkmodule", filter: "Filterregeln", linkSecurity: "Funkschlüssel" },
  source: {
    default: "Vorgabe",
    demo: "durch --demo gesetzt",
    store: "hier gespeichert",
    file: "Einstellungsdatei",
    environment: "Umgebung",
    option: "Option des Befehls",
  },
  problemTitle: "Die gespeicherten Einstellungen sind nicht verwendbar",
  problemWhat: (why) =>
    `Das Gateway läuft ohne Funk; der Grund: ${why}. Ändern oder entfernen Sie sie und starten Sie es neu.`,
  restart:
    "Was hier gespeichert ist, gilt noch nicht: Starten Sie das Gateway neu, um es zu übernehmen.",
  none: "keine",
  defaultRules:
    "übliche Regeln: CoAP und CoAPS zu Sensoren, UDP von Sensoren, ESP, AH und Echo-Anfragen",
  notShown: "nicht hier gesetzt",
  notSecured: "Rahmen sind nicht gesichert",
  secured: (security) => `Rahmen sind gesichert, Stufe ${security}; der Schlüssel wird nie gezeigt`,
  keyIndexOf: (index) => `, Schlüsselindex ${index}`,
  edit: "Bearbeiten",
  editTitle: "Einstellungen des Netzes",
  remove: "Gespeichertes entfernen",
  removeTitle: "Die gespeicherten Einstellungen entfernen?",
  removeWhat:
    "Gespeicherte Funkmodule, Filterregeln und der Funkschlüssel gehen verloren; den Schlüssel bringt nichts zurück. Ab dem nächsten Start gelten Einstellungsdatei und Vorgaben: Ohne Funkschlüssel sind Rahmen nicht gesichert, und Sensoren, die ihre sichern, werden nicht gehört.",
  fromFile: (where) =>
    `Nicht hier gesetzt (${where}): Ändern Sie es dort. Gespeichertes wirkt nicht.`,
  radio: (number) => `Funkmodul ${number}`,
  field: { kind: "Art", port: "Port", device: "Gerät", baud: "Baudrate", host: "Rechner" },
  kind: {
    serial: "serielle Schnittstelle (slip-radio)",
    tcp: "TCP (slip-radio)",
    zep: "ZEP (simulierter Äther)",
    "tunslip6-serial": "serielle Schnittstelle (Border-Router, tunslip6)",
    "tunslip6-tcp": "TCP (Border-Router, tunslip6)",
    virtual: "virtuell, auf diesem Rechner",
  },
  addRadio: "Funkmodul hinzufügen",
  removeRadio: (number) => `Funkmodul ${number} entfernen`,
  filterHelp:
    "Eine Regel je Zeile, die erste passende entscheidet: allow oder deny, in, out oder both, dann any, echo, esp, ah, udp oder tcp mit Ports, from und to PRÄFIX. Leer: die üblichen Regeln.",
  rule: (number, fault) => `Regel ${number}: ${fault}`,
  linkSecurity: "802.15.4-Sicherung der Rahmen",
  off: "Rahmen sind nicht gesichert",
  on: "Rahmen sind mit dem Funkschlüssel gesichert",
  key: "Funkschlüssel",
  keyHelp: "32 Hexadezimalziffern. Er wird versiegelt gespeichert und nie wieder gezeigt.",
  keyStays: "Leer: Der gespeicherte Schlüssel bleibt.",
  levelLabel: "Sicherheitsstufe",
  level: {
    "1": "1: Integrität, 4 Oktette",
    "2": "2: Integrität, 8 Oktette",
    "3": "3: Integrität, 16 Oktette",
    "5": "5: Verschlüsselung, Integrität mit 4 Oktetten (üblich)",
    "6": "6: Verschlüsselung, Integrität mit 8 Oktetten",
    "7": "7: Verschlüsselung, Integrität mit 16 Oktetten",
  },
  keyIndex: "Schlüsselindex",
  keyIndexHelp: "0 bis 255, wie ihn die Sensoren haben. Leer: Rahmen nennen keinen Schlüssel.",
  fault: {
    port: "Geben Sie eine ganze Zahl von 0 bis 65535 an.",
    baud: "Geben Sie eine ganze Zahl ab 1 an.",
    key: "Geben Sie 32 Hexadezimalziffern an.",
    noKey: "Geben Sie den Schlüssel an: Es ist keiner gespeichert.",
    keyIndex: "Geben Sie eine ganze Zahl von 0 bis 255 an.",
  },
  save: "Speichern",
  cancel: "Abbrechen",
  close: "Schließen",
  stored: "Die Einstellungen sind gespeichert.",
  removed: "Die gespeicherten Einstellungen sind entfernt.",
};

export const settingsMessages = { en, de };
