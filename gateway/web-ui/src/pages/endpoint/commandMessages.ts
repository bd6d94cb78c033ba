import type { Fault } from "./control";

/** The limits of a number as texts; empty without one. */
type Limits = Readonly<Record<"minimum" | "maximum" | "step" | "unit", string>>;
type Faults = Record<Fault, (limits: Limits) => string>;

export const commandMessages = {
  en: {
    commands: "Commands",
    noCommands: "No command has been sent.",
    commandNumber: "Number",
    commandPath: "Resource",
    commandState: "State",
    commandQueued: "Queued",
    commandEnded: "Ended or expires",
    commandBy: "Commander",
    states: {
      queued: "queued: waits for the mote to wake",
      fetched: "fetched: the mote has it",
      confirmed: "confirmed: the mote signed that it carried it out",
      refused: "refused: the mote signed that it cannot carry it out",
      expired: "expired",
      cancelled: "cancelled",
    },
    cancel: "Cancel…",
    cancelTitle: (seq: number) => `Cancel command ${seq}?`,
    cancelWhat:
      "The mote no longer receives it. A mote that has already fetched it may still carry it out.",
    cancelConfirm: "Cancel the command",
    compose: "Send a command",
    composeWhat:
      "This browser signs it with a commander’s key; the gateway passes it on and cannot change it. The mote carries it out when it wakes.",
    composeKey: "Commander’s key",
    composeResource: "Resource",
    composeChoose: "Choose a resource",
    composeAnother: "Another path…",
    composePath: "Path of the resource",
    composePathHint: "For a resource whose link does not say that it accepts commands.",
    composeResourceNeeded: "Choose the resource that receives the value.",
    composeValue: "Value",
    composeValueHint: "A number, true or false, or a text.",
    composeTextHint: "A text.",
    composeNumberHint: ({ minimum, maximum, step, unit }: Limits) =>
      [
        minimum !== "" && maximum !== "" && `${minimum} to ${maximum}`,
        minimum !== "" && maximum === "" && `At least ${minimum}`,
        minimum === "" && maximum !== "" && `At most ${maximum}`,
        minimum === "" && maximum === "" && "A number",
        unit !== "" &&
          (unit.startsWith("°") || minimum + maximum !== "" ? ` ${unit}` : ` in ${unit}`),
        step !== "" && `, a multiple of ${step}`,
        ".",
      ]
        .filter((part) => part !== false)
        .join(""),
    composeSlider: "Value as a slider",
    composeChooseValue: "Choose a value",
    composeOff: "Off",
    composeOn: "On",
    composeAnyValue: "Send another kind of value",
    valueFaults: {
      missing: () => "Enter the value for the resource.",
      number: () => "This is not a number.",
      minimum: ({ minimum }: Limits) => `The resource takes at least ${minimum}.`,
      maximum: ({ maximum }: Limits) => `The resource takes at most ${maximum}.`,
      multiple: ({ step }: Limits) => `The resource takes multiples of ${step}.`,
      choice: () => "Choose one of the values.",
    } satisfies Faults,
    composeExpiry: "Expires",
    expiries: { hour: "in an hour", day: "in a day", week: "in a week", never: "never" },
    send: "Sign and send",
    sent: (seq: number, state: string) => `Command ${seq} is ${state}.`,
    noCommander:
      "A command needs a commander’s key. Paste or create one here; an administrator of the domain enrols it.",
    insecure: "Commands are signed only on pages loaded over HTTPS or from this machine.",
    addKey: "Add a key…",
    addKeyTitle: "A commander’s key",
    paste: "Private key as JWK",
    pasteHint:
      "After storing it, nothing can read its secret again, not even this page. It never leaves this browser.",
    onlyNow: "Only until the page is closed",
    addPasted: "Add the key",
    or: "or",
    make: "Create a new key in this browser",
    madeWhat:
      "Ask an administrator to enrol this public key (page Domains), and install it on the motes that should obey it (--commander FILE). Its secret stays in this browser and cannot be copied.",
    enrolWhat: (domain: string) =>
      `Enrol this public key so that the gateway accepts its commands in domain ${domain}. The motes that should obey it also need it (--commander FILE). The secret stays in this browser.`,
    enrol: "Enrol the key",
    browserOf: (account: string) => `browser of ${account}`,
    publicKey: "public key",
    forget: "Forget this key…",
    forgetTitle: "Forget the key?",
    forgetWhat: (kid: string) =>
      `This browser then signs no more commands with the key ${kid}. A key created here is lost permanently.`,
    forgetConfirm: "Forget the key",
    badKey: (why: string) => `The key ${why}.`,
  },
  de: {
    commands: "Befehle",
    noCommands: "Es wurde kein Befehl gesendet.",
    commandNumber: "Nummer",
    commandPath: "Ressource",
    commandState: "Zustand",
    commandQueued: "Eingereiht",
    commandEnded: "Beendet oder läuft ab",
    commandBy: "Befehlender",
    states: {
      queued: "eingereiht: wartet, bis der Sensor aufwacht",
      fetched: "abgeholt: der Sensor hat ihn",
      confirmed: "bestätigt: der Sensor hat die Ausführung signiert",
      refused: "abgelehnt: der Sensor hat signiert, dass er es nicht ausführen kann",
      expired: "abgelaufen",
      cancelled: "zurückgezogen",
    },
    cancel: "Zurückziehen…",
    cancelTitle: (seq: number) => `Befehl ${seq} zurückziehen?`,
    cancelWhat:
      "Der Sensor bekommt ihn nicht mehr. Hat er ihn schon abgeholt, führt er ihn vielleicht noch aus.",
    cancelConfirm: "Befehl zurückziehen",
    compose: "Befehl senden",
    composeWhat:
      "Dieser Browser signiert ihn mit dem Schlüssel eines Befehlenden; das Gateway reicht ihn weiter und kann ihn nicht ändern. Der Sensor gehorcht, wenn er aufwacht.",
    composeKey: "Schlüssel des Befehlenden",
    composeResource: "Ressource",
    composeChoose: "Ressource wählen",
    composeAnother: "Anderer Pfad…",
    composePath: "Pfad der Ressource",
    composePathHint: "Für eine Ressource, deren Link nicht sagt, dass sie Befehle annimmt.",
    composeResourceNeeded: "Wählen Sie die Ressource, die den Wert bekommen soll.",
    composeValue: "Wert",
    composeValueHint: "Eine Zahl, true oder false, oder ein Text.",
    composeTextHint: "Ein Text.",
    composeNumberHint: ({ minimum, maximum, step, unit }: Limits) =>
      [
        minimum !== "" && maximum !== "" && `${minimum} bis ${maximum}`,
        minimum !== "" && maximum === "" && `Mindestens ${minimum}`,
        minimum === "" && maximum !== "" && `Höchstens ${maximum}`,
        minimum === "" && maximum === "" && "Eine Zahl",
        unit !== "" &&
          (unit.startsWith("°") || minimum + maximum !== "" ? ` ${unit}` : ` in ${unit}`),
        step !== "" && `, ein Vielfaches von ${step}`,
        ".",
      ]
        .filter((part) => part !== false)
        .join(""),
    composeSlider: "Wert als Schieberegler",
    composeChooseValue: "Wert wählen",
    composeOff: "Aus",
    composeOn: "Ein",
    composeAnyValue: "Eine andere Art von Wert senden",
    valueFaults: {
      missing: () => "Geben Sie an, welchen Wert die Ressource bekommen soll.",
      number: () => "Das ist keine Zahl.",
      minimum: ({ minimum }: Limits) => `Die Ressource nimmt mindestens ${minimum}.`,
      maximum: ({ maximum }: Limits) => `Die Ressource nimmt höchstens ${maximum}.`,
      multiple: ({ step }: Limits) => `Die Ressource nimmt Vielfache von ${step}.`,
      choice: () => "Wählen Sie einen der Werte.",
    } satisfies Faults,
    composeExpiry: "Läuft ab",
    expiries: {
      hour: "in einer Stunde",
      day: "in einem Tag",
      week: "in einer Woche",
      never: "nie",
    },
    send: "Signieren und senden",
    sent: (seq: number, state: string) => `Befehl ${seq} ist ${state}.`,
    noCommander:
      "Ein Befehl braucht den Schlüssel eines Befehlenden. Fügen Sie einen ein, oder machen Sie hier einen; ein Verwalter der Domäne trägt ihn ein.",
    insecure:
      "Befehle werden nur auf Seiten signiert, die über HTTPS oder von diesem Rechner geladen wurden.",
    addKey: "Schlüssel hinzufügen…",
    addKeyTitle: "Schlüssel eines Befehlenden",
    paste: "Privater Schlüssel als JWK",
    pasteHint:
      "Er wird so gespeichert, dass nichts, auch nicht diese Seite, sein Geheimnis wieder lesen kann. Er verlässt diesen Browser nie.",
    onlyNow: "Nur bis zum Schließen der Seite",
    addPasted: "Schlüssel hinzufügen",
    or: "oder",
    make: "Neuen Schlüssel in diesem Browser machen",
    madeWhat:
      "Bitten Sie einen Verwalter, diesen öffentlichen Schlüssel einzutragen (Seite Domänen), und geben Sie ihn den Sensoren, die gehorchen sollen (--commander DATEI). Sein Geheimnis bleibt in diesem Browser und kann nicht kopiert werden.",
    enrolWhat: (domain: string) =>
      `Tragen Sie diesen öffentlichen Schlüssel ein, damit das Gateway seine Befehle in der Domäne ${domain} annimmt. Auch die Sensoren, die gehorchen sollen, brauchen ihn (--commander DATEI). Das Geheimnis bleibt in diesem Browser.`,
    enrol: "Schlüssel eintragen",
    browserOf: (account: string) => `Browser von ${account}`,
    publicKey: "öffentlicher Schlüssel",
    forget: "Schlüssel vergessen…",
    forgetTitle: "Schlüssel vergessen?",
    forgetWhat: (kid: string) =>
      `Dieser Browser signiert dann keine Befehle mehr mit dem Schlüssel ${kid}. Ein hier gemachter Schlüssel ist für immer verloren.`,
    forgetConfirm: "Schlüssel vergessen",
    badKey: (why: string) => `Der Schlüssel ist nicht brauchbar (${why}).`,
  },
};
