/** Why a reading is refused, or could not be verified: a sentence for each code. */
export const verdictMessages = {
  en: {
    malformed: "The original is not a well-formed signed reading.",
    "key-unknown": "The gateway does not know the key that the reading names.",
    "key-unusable": "The key cannot be used.",
    "curve-unsupported": (curve: string) =>
      `The key is on the curve ${curve}, which this browser does not support.`,
    "other-key": "The gateway sent a different key than the reading names.",
    "other-algorithm": (algorithm: string, curve: string) =>
      `The reading says ${algorithm}, but its key is on the curve ${curve}.`,
    signature:
      "The signature is invalid: the reading was changed after the mote signed it, or another key signed it.",
    resource: (signed: string, shown: string) =>
      `The mote signed this reading for “${signed}”, but it is shown as “${shown}”.`,
    number: (signed: number, shown: number) =>
      `The gateway shows reading ${shown}, but the signed original is reading ${signed}.`,
    older: (signed: number, highest: number) =>
      `The gateway went back to reading ${signed}, although this page has verified reading ${highest}.`,
    "no-value": "The signed reading holds no value.",
    value: (signed: string, shown: string) =>
      `The mote signed the value ${signed}, but the gateway shows ${shown}.`,
    unit: (signed: string, shown: string) =>
      `The mote signed the unit “${signed}”, but the gateway shows “${shown}”.`,
    pin: "Another key signs for this endpoint than the one this browser remembers.",
    insecure:
      "This browser checks signatures only on pages that came over HTTPS or from localhost.",
    unreachable: "The signed original could not be fetched: the gateway cannot be reached.",
    "not-sent": (status: number) =>
      `The signed original could not be fetched: the gateway answered with status ${status}.`,
    failed: "The signed original could not be checked.",
    ahead: (has: number, announced: number) =>
      `The gateway has a newer reading (${has}) than it announces (${announced}).`,
  },
  de: {
    malformed: "Das Original ist kein wohlgeformter signierter Wert.",
    "key-unknown": "Das Gateway kennt den Schlüssel nicht, den der Wert nennt.",
    "key-unusable": "Der Schlüssel ist nicht brauchbar.",
    "curve-unsupported": (curve: string) =>
      `Der Schlüssel liegt auf der Kurve ${curve}, die dieser Browser nicht unterstützt.`,
    "other-key": "Das Gateway hat einen anderen Schlüssel gesendet, als der Wert nennt.",
    "other-algorithm": (algorithm: string, curve: string) =>
      `Der Wert nennt ${algorithm}, aber sein Schlüssel liegt auf der Kurve ${curve}.`,
    signature:
      "Die Signatur ist ungültig: Der Wert wurde nach dem Signieren geändert, oder ein anderer Schlüssel hat ihn signiert.",
    resource: (signed: string, shown: string) =>
      `Der Sensor hat diesen Wert für „${signed}“ signiert, gezeigt wird er aber als „${shown}“.`,
    number: (signed: number, shown: number) =>
      `Das Gateway zeigt Wert ${shown}, das signierte Original ist aber Wert ${signed}.`,
    older: (signed: number, highest: number) =>
      `Das Gateway ist zu Wert ${signed} zurückgegangen, obwohl diese Seite schon Wert ${highest} geprüft hat.`,
    "no-value": "Das signierte Original enthält keinen Wert.",
    value: (signed: string, shown: string) =>
      `Der Sensor hat den Wert ${signed} signiert, das Gateway zeigt aber ${shown}.`,
    unit: (signed: string, shown: string) =>
      `Der Sensor hat die Einheit „${signed}“ signiert, das Gateway zeigt aber „${shown}“.`,
    pin: "Für diesen Endpunkt signiert ein anderer Schlüssel, als dieser Browser kennt.",
    insecure:
      "Dieser Browser prüft Signaturen nur auf Seiten, die über HTTPS oder von localhost kamen.",
    unreachable:
      "Das signierte Original konnte nicht geholt werden: Das Gateway ist nicht erreichbar.",
    "not-sent": (status: number) =>
      `Das signierte Original konnte nicht geholt werden: Das Gateway antwortete mit Status ${status}.`,
    failed: "Das signierte Original konnte nicht geprüft werden.",
    ahead: (has: number, announced: number) =>
      `Das Gateway hat einen neueren Wert (${has}), als es ankündigt (${announced}).`,
  },
};
