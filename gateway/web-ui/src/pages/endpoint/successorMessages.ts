export const successorMessages = {
  en: {
    replace: "Replace this mote…",
    title: (ep: string) => `Replace the mote of ${ep}?`,
    what: (ep: string) =>
      `Another mote takes over ${ep}: name, place, tags, calibrations, history, alarms and the address of its values stay. Check the calibrations for the new sensor.`,
    then: (ep: string) =>
      `When a mote with the key below registers as ${ep}, its key replaces the current one. From then on the current mote is refused, and its key is never again trusted automatically for this name. Browsers that remember the current key ask once whether to remember the new one.`,
    until: "Nothing changes until it registers; until then you can cancel the replacement here.",
    present: "Current key",
    key: "Thumbprint of the new mote’s key",
    keyHint: "43 characters, from its label or its output at start; spaces are ignored.",
    keyWrong: (letters: number) =>
      `A thumbprint has 43 characters; this has ${letters}, or contains others.`,
    keyPresent: "This is the key of the current mote. Enter the key of the other mote.",
    asking: "These keys request the name now; the one you choose takes over at once:",
    use: "Use this key",
    confirm: "Replace the mote",
    expected: "A successor of this mote is expected",
    expectedWhat: "It takes over when it registers with this key:",
    takeBack: "Cancel replacement…",
    takeBackTitle: "Keep the current mote?",
    takeBackWhat:
      "The other mote no longer takes over: if it registers, its key waits for a decision. The current mote stays.",
    takeBackConfirm: "Keep the current mote",
    done: "The other mote has taken over.",
  },
  de: {
    replace: "Sensor ersetzen…",
    title: (ep: string) => `Den Sensor von ${ep} ersetzen?`,
    what: (ep: string) =>
      `Ein anderer Sensor übernimmt ${ep}: Name, Ort, Tags, Kalibrierungen, Verlauf, Alarme und die Adresse seiner Werte bleiben. Prüfen Sie die Kalibrierungen für den neuen Sensor.`,
    then: (ep: string) =>
      `Wenn sich ein Sensor mit dem Schlüssel unten als ${ep} anmeldet, ersetzt dessen Schlüssel den jetzigen. Von da an wird der jetzige Sensor abgelehnt, und seinem Schlüssel wird für diesen Namen nie wieder von selbst vertraut. Browser, die sich den jetzigen Schlüssel gemerkt haben, fragen einmal, ob sie sich den neuen merken sollen.`,
    until: "Bis zu seiner Anmeldung ändert sich nichts, und Sie können es hier zurücknehmen.",
    present: "Jetziger Schlüssel",
    key: "Fingerabdruck des Schlüssels des neuen Sensors",
    keyHint:
      "43 Zeichen, von seinem Etikett oder seiner Ausgabe beim Start; Leerzeichen zählen nicht.",
    keyWrong: (letters: number) =>
      `Ein Fingerabdruck hat 43 Zeichen; dies sind ${letters} oder andere.`,
    keyPresent: "Das ist der Schlüssel des jetzigen Sensors. Geben Sie den des anderen an.",
    asking: "Schlüssel, die jetzt um den Namen bitten; einer davon übernimmt sofort:",
    use: "Diesen nehmen",
    confirm: "Sensor ersetzen",
    expected: "Ein Nachfolger dieses Sensors wird erwartet",
    expectedWhat: "Er übernimmt, wenn er sich mit diesem Schlüssel anmeldet:",
    takeBack: "Zurücknehmen…",
    takeBackTitle: "Den jetzigen Sensor behalten?",
    takeBackWhat:
      "Der andere Sensor übernimmt nicht mehr: Meldet er sich an, wartet sein Schlüssel auf eine Entscheidung. Der jetzige macht weiter.",
    takeBackConfirm: "Jetzigen Sensor behalten",
    done: "Der andere Sensor hat übernommen.",
  },
};
