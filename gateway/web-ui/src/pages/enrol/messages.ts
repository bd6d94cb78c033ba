const named = (ep: string | undefined, word: string) => (ep === undefined ? word : ep);

export const enrolMessages = {
  en: {
    title: "Enrol a mote",
    printLabels: "Print labels",
    what: "Scan the QR code on the mote’s label. This page compares the whole fingerprint with the key that the mote registered.",
    wrongAddress: "The address of this page contains no fingerprint. Scan the label again.",
    scan: "Scan with the camera",
    stop: "Stop the camera",
    picture: "Picture of the camera",
    scanning: "Hold the label in front of the camera.",
    otherCode: "This QR code is not the label of a mote.",
    faults: {
      insecure:
        "Browsers permit the camera only over HTTPS. Open this page with https, or type the fingerprint.",
      denied:
        "The browser denies access to the camera. Permit it for this page, or type the fingerprint.",
      missing: "This device has no camera that can be used. Type the fingerprint.",
      failed: "The camera could not be started. Another program may use it.",
    },
    typeTitle: "Or type the label",
    typeHint: "The 43 characters in groups, or the text of the QR code. Case matters.",
    compare: "Compare",
    typed: "Fingerprint",
    typedWrong: (letters: number, wanted: number) =>
      letters === wanted
        ? "This is not a fingerprint: compare it again."
        : `A fingerprint has ${wanted} characters; this has ${letters}.`,

    verdicts: { same: "Same", different: "Not the same", none: "Nothing to compare yet" },
    onLabel: "On the label",
    atGateway: "At the gateway",
    same: {
      waiting: (ep: string) => `The mote that registered as ${ep} has the key on the label.`,
      held: (ep: string) =>
        `The mote that requests the name ${ep} has the key on the label, but another key has this name. Decide on the page Trust whether it replaces that key.`,
      trusted: (ep: string) => `The gateway trusts the key on the label, as ${ep}.`,
    },
    ended: (revoked: boolean) =>
      revoked
        ? "But this key is revoked: no approval can change that. The mote needs a new key."
        : "But another key has replaced it. Use the mote with that key, or give this mote a new one.",
    otherKey: (ep: string, trusted: boolean) =>
      trusted
        ? `${ep} already has another trusted key. To exchange the mote, use “Replace this mote” on the endpoint’s page.`
        : `The mote that registered as ${ep} has another key than the label. Do not approve it: it may be another mote with the same name, or somebody who impersonates it.`,
    otherName: (ep: string, wanted: string) =>
      `The mote with this key registered as ${ep}, not as ${wanted}. Change its name or the label.`,
    otherDomain: (ep: string) =>
      `The mote with this key registered as ${ep}, but in another domain than the label says.`,
    nothing: {
      unknown: (ep: string | undefined) =>
        `${named(ep, "The mote")} has not registered with the key on the label.`,
      expected: (ep: string | undefined) =>
        `The key on the label is approved. ${named(ep, "The mote")} has not registered yet.`,
    },
    waits: "Switch the mote on. This page waits for it and then continues.",
    aheadWhat: "Or approve the key now: it is trusted when the mote registers.",
    where: "For",
    allDomains: "any new name in any domain",
    inDomain: (domain: string) => `any new name in ${domain}`,
    nameless: "domain without a name",
    aheadButton: "Approve ahead",
    aheadDone: "The key is trusted at its next registration.",

    name: "Name",
    nameHint: "For people, such as “Boiler”; may stay empty.",
    place: "Place",
    placeHint: "Where the mote is, such as “Hall 3, north wall”; may stay empty.",
    compared: "I scanned the mote’s label myself, or compared all groups with it.",
    approve: "Approve and save",
    save: "Save name and place",
    enrolled: (ep: string) => `${ep} is enrolled.`,
    saved: (ep: string) => `Name and place of ${ep} are saved.`,
    otherOperator: "You are not an operator of this mote’s domain.",
    toEndpoint: "Show its values",
    next: "Next label",
    toTrust: "All waiting keys",

    labelsTitle: "Print labels",
    labelsWhat:
      "The labels show keys that the gateway trusts already. They help to find and replace motes. A first contact is secured only by a label with the key that the mote itself printed.",
    sheet: "The sheet has 21 labels of 63.5 mm × 38.1 mm on A4. Print it without scaling.",
    filter: "Only names, places and domains with",
    print: (count: number) => `Print ${count === 1 ? "1 label" : `${count} labels`}`,
    tooMany: (shown: number, all: number) =>
      `These are the first ${shown} of ${all}: filter to print the others.`,
    noLabels: "No endpoint with a trusted key matches.",
    codeOf: (ep: string) => `QR code of ${ep}`,
    toEnrol: "Enrol a mote",
  },
  de: {
    title: "Sensor aufnehmen",
    printLabels: "Etiketten drucken",
    what: "Scannen Sie den QR-Code auf dem Etikett des Sensors. Die Seite vergleicht den ganzen Fingerabdruck mit dem Schlüssel, den der Sensor registriert hat.",
    wrongAddress:
      "Die Adresse dieser Seite enthält keinen Fingerabdruck. Scannen Sie das Etikett noch einmal.",
    scan: "Mit der Kamera scannen",
    stop: "Kamera ausschalten",
    picture: "Bild der Kamera",
    scanning: "Halten Sie das Etikett vor die Kamera.",
    otherCode: "Dieser QR-Code ist kein Etikett eines Sensors.",
    faults: {
      insecure:
        "Browser erlauben die Kamera nur über HTTPS. Öffnen Sie die Seite mit https, oder tippen Sie den Fingerabdruck.",
      denied:
        "Der Browser verweigert die Kamera. Erlauben Sie sie für diese Seite, oder tippen Sie den Fingerabdruck.",
      missing: "Dieses Gerät hat keine nutzbare Kamera. Tippen Sie den Fingerabdruck.",
      failed: "Die Kamera ließ sich nicht einschalten. Vielleicht nutzt sie ein anderes Programm.",
    },
    typeTitle: "Oder das Etikett abtippen",
    typeHint: "Die 43 Zeichen in Gruppen oder der Text des QR-Codes. Großschreibung zählt.",
    compare: "Vergleichen",
    typed: "Fingerabdruck",
    typedWrong: (letters: number, wanted: number) =>
      letters === wanted
        ? "Das sind nicht die Zeichen eines Fingerabdrucks: Vergleichen Sie sie noch einmal."
        : `Ein Fingerabdruck hat ${wanted} Zeichen, das sind ${letters}.`,

    verdicts: { same: "Gleich", different: "Nicht gleich", none: "Noch nichts zu vergleichen" },
    onLabel: "Auf dem Etikett",
    atGateway: "Beim Gateway",
    same: {
      waiting: (ep: string) =>
        `Der Sensor, der sich als ${ep} registriert hat, hat den Schlüssel des Etiketts.`,
      held: (ep: string) =>
        `Der Sensor, der den Namen ${ep} verlangt, hat den Schlüssel des Etiketts, aber ein anderer Schlüssel hat diesen Namen. Entscheiden Sie auf der Seite Vertrauen, ob er ihn ersetzt.`,
      trusted: (ep: string) => `Das Gateway vertraut dem Schlüssel des Etiketts, als ${ep}.`,
    },
    ended: (revoked: boolean) =>
      revoked
        ? "Aber der Schlüssel ist widerrufen: Keine Freigabe kann das ändern. Der Sensor braucht einen neuen."
        : "Aber ein anderer Schlüssel hat ihn ersetzt. Nutzen Sie den Sensor mit jenem, oder geben Sie diesem einen neuen.",
    otherKey: (ep: string, trusted: boolean) =>
      trusted
        ? `${ep} hat schon einen anderen Schlüssel, dem vertraut wird. Zum Austausch des Sensors dient „Sensor ersetzen“ auf der Seite des Endpunkts.`
        : `Der Sensor, der sich als ${ep} registriert hat, hat einen anderen Schlüssel als das Etikett. Geben Sie ihn nicht frei: Vielleicht ist es ein anderer Sensor mit demselben Namen, oder jemand gibt sich für ihn aus.`,
    otherName: (ep: string, wanted: string) =>
      `Der Sensor mit diesem Schlüssel hat sich als ${ep} registriert, nicht als ${wanted}. Ändern Sie seinen Namen oder das Etikett.`,
    otherDomain: (ep: string) =>
      `Der Sensor mit diesem Schlüssel hat sich als ${ep} registriert, aber in einer anderen Domäne, als auf dem Etikett steht.`,
    nothing: {
      unknown: (ep: string | undefined) =>
        `${named(ep, "Der Sensor")} hat sich mit dem Schlüssel des Etiketts noch nicht registriert.`,
      expected: (ep: string | undefined) =>
        `Der Schlüssel des Etiketts ist freigegeben. ${named(ep, "Der Sensor")} hat sich noch nicht registriert.`,
    },
    waits: "Schalten Sie den Sensor ein. Die Seite wartet auf ihn und geht dann weiter.",
    aheadWhat:
      "Oder geben Sie den Schlüssel jetzt frei: Ihm wird vertraut, sobald der Sensor sich registriert.",
    where: "Für",
    allDomains: "jeden neuen Namen in jeder Domäne",
    inDomain: (domain: string) => `jeden neuen Namen in ${domain}`,
    nameless: "Domäne ohne Namen",
    aheadButton: "Vorab freigeben",
    aheadDone: "Dem Schlüssel wird bei seiner nächsten Registrierung vertraut.",

    name: "Name",
    nameHint: "Für Menschen, etwa „Heizkessel“; darf leer bleiben.",
    place: "Ort",
    placeHint: "Wo der Sensor ist, etwa „Halle 3, Nordwand“; darf leer bleiben.",
    compared:
      "Ich habe das Etikett des Sensors selbst gescannt oder alle Gruppen mit ihm verglichen.",
    approve: "Freigeben und speichern",
    save: "Name und Ort speichern",
    enrolled: (ep: string) => `${ep} ist aufgenommen.`,
    saved: (ep: string) => `Name und Ort von ${ep} sind gespeichert.`,
    otherOperator: "Sie betreuen die Domäne dieses Sensors nicht.",
    toEndpoint: "Seine Werte zeigen",
    next: "Nächstes Etikett",
    toTrust: "Alle wartenden Schlüssel",

    labelsTitle: "Etiketten drucken",
    labelsWhat:
      "Die Etiketten zeigen Schlüssel, denen das Gateway schon vertraut. Mit ihnen findet und ersetzt man Sensoren. Den ersten Kontakt sichert nur ein Etikett mit dem Schlüssel, den der Sensor selbst ausgegeben hat.",
    sheet:
      "Der Bogen hat 21 Etiketten von 63,5 mm × 38,1 mm auf A4. Drucken Sie ihn ohne Skalierung.",
    filter: "Nur Namen, Orte und Domänen mit",
    print: (count: number) => `${count === 1 ? "1 Etikett" : `${count} Etiketten`} drucken`,
    tooMany: (shown: number, all: number) =>
      `Das sind die ersten ${shown} von ${all}: Filtern Sie, um die anderen zu drucken.`,
    noLabels: "Kein Endpunkt mit vertrautem Schlüssel passt.",
    codeOf: (ep: string) => `QR-Code von ${ep}`,
    toEnrol: "Sensor aufnehmen",
  },
};
