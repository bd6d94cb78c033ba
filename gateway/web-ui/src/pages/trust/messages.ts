export const trustMessages = {
  en: {
    title: "Trust",
    enrol: "Enrol by a label",
    waitingTab: (count: number) => (count === 0 ? "Waiting" : `Waiting (${count})`),
    keysTab: "All keys",
    aheadTab: "Approve ahead",
    importTab: "Import",

    firstUse: (domains: string) => `Trust on first use${domains === "" ? "" : ` (${domains})`}`,
    firstUseWhat:
      "Here the gateway trusts the first key that registers a name, without a check. It detects every later change, but not whether the first key was the right one. Compare each fingerprint with the mote’s label once, under “All keys”.",
    firstUseOf: (domain: string) => `domain ${domain}`,
    nameless: "domain without a name",

    none: "No key waits for a decision.",
    noneWhat:
      "Keys of new motes appear here, as do keys that request the name of another key. They appear at once.",
    mustDecide: "Compare the fingerprint with the mote’s label before you approve it.",
    onlyOperators: "Only operators decide on keys. Sign in with such an account.",
    fingerprint: "fingerprint",
    fingerprintOf: (name: string) => `Fingerprint of the key of ${name}`,
    since: "Since",
    from: "From",
    domain: "Domain",
    reason: "Why it waits",
    unknown: "unknown",
    approve: "Approve…",
    refuse: "Refuse…",
    showQr: "QR code",
    hideQr: "Hide the QR code",
    qrOf: "QR code of the fingerprint",

    present: "Current key",
    requested: "New key",
    firstSeen: "First seen",
    lastRegistered: "Last registered",
    trustedHow: "How it became trusted",
    notInAudit: "no longer in the audit trail",
    remembered: "Verified in this browser since",
    asksSince: "Has requested the name since",
    noPresent: "The current key could not be read.",

    approveTitle: (name: string) => `Approve the key of ${name}?`,
    approveWhat: (name: string) =>
      `The gateway will accept and serve values that this key signs as ${name}. Other keys that wait for the name are refused.`,
    replaceTitle: (name: string) => `Replace the key of ${name}?`,
    replaceWhat: (name: string) =>
      `The new key signs for ${name} from now on. Updates signed by the current key are refused; values that it already signed remain verifiable. Only another change of the key can undo this.`,
    compared: "I compared these groups with the mote’s label, and they are the same.",
    approveConfirm: "Approve",
    replaceConfirm: "Replace the key",
    select: (name: string) => `Select the key of ${name}`,
    selectAll: (count: number) => `Select all ${count} new keys`,
    approveMany: (count: number) => `Approve ${count} ${count === 1 ? "key" : "keys"}…`,
    approveManyTitle: (count: number) => `Approve ${count} ${count === 1 ? "key" : "keys"}?`,
    approveManyWhat: "The gateway then serves values that these keys sign, under these names.",
    comparedMany: "I compared each with the label of its mote, and they are the same.",
    approvedMany: (count: number) =>
      count === 1 ? "1 key is trusted." : `${count} keys are trusted.`,
    refuseTitle: (name: string) => `Refuse the key for ${name}?`,
    refuseNew: (name: string) =>
      `The registration of ${name} is removed. A mote that still has this key may register again and will wait again; to refuse it permanently, revoke the key.`,
    refuseHeld: (name: string) =>
      `${name} keeps its current key. The mote with the new key is ignored; it may ask again unless its key is revoked.`,
    refuseConfirm: "Refuse",
    approved: (name: string) => `The key of ${name} is trusted.`,
    refused: (name: string) => `The key for ${name} is refused.`,

    aheadTitle: "Approve by fingerprint",
    aheadWhat:
      "Type or scan the fingerprint from a mote’s label. A waiting key is shown; any other key is trusted when it registers.",
    typed: "Fingerprint",
    typedHint:
      "43 characters: letters, digits, hyphens and underscores. Spaces are ignored, but case matters.",
    typedWrong: (letters: number, wanted: number) =>
      letters === wanted
        ? "This is not a fingerprint: compare it again."
        : `A fingerprint has ${wanted} characters; this has ${letters}.`,
    look: "Look for this key",
    where: "For",
    allDomains: "any new name in any domain",
    inDomain: (domain: string) => `any new name in ${domain}`,
    matches: (name: string) => `This is the key that waits for ${name}.`,
    alreadyTrusted: (name: string) => `This key is trusted already, as ${name}.`,
    isRevoked: "This key is revoked: no approval can change that.",
    noMatch: "No key with this fingerprint waits now.",
    aheadButton: "Approve ahead",
    aheadConfirm: "Approve ahead",
    aheadAsk:
      "The next registration signed by this key is trusted without further confirmation, under a name that no trusted key has.",
    aheadDone: "The key is trusted at its next registration.",

    state: "State",
    anyState: "Any state",
    states: {
      pending: "pending",
      held: "held",
      trusted: "trusted",
      listed: "listed",
      unproven: "unproven",
      replaced: "replaced",
      revoked: "revoked",
    },
    endpoint: "Endpoint",
    endpointExact: "Endpoint (the whole name)",
    anyEndpoint: "any",
    actions: "Actions",
    more: "Show more",
    noKeys: "No key matches.",
    revoke: "Revoke…",
    unlist: "Remove from the list…",
    approvedAhead: "approved for the next registration",
    takeBack: "Withdraw the approval…",
    takeBackTitle: "Withdraw the approval?",
    takeBackWhat: "The key will wait for a decision when it registers.",
    takeBackConfirm: "Withdraw",
    revokeTitle: "Revoke this key permanently?",
    revokeWhat:
      "This cannot be undone. It applies to every name and every domain: updates signed by the key are refused, and all values that it signed, including history, are no longer served; only exports for operators contain them, marked as revoked. The mote needs a new key.",
    revokeSure: (name: string) => `I want to revoke the key of ${name} permanently.`,
    revokeConfirm: "Revoke permanently",
    revoked: "The key is revoked.",
    unlistTitle: "Remove this key from the list?",
    unlistWhat:
      "The key can no longer register through the list. An endpoint that it has registered stays; to end that too, revoke the key.",
    unlistConfirm: "Remove",
    unlisted: "The key is off the list.",
    close: "Close",

    importTitle: "Import keys",
    importWhat:
      "For domains that trust by list. A JWK set, or a table (CSV) whose first line names the columns: jkt, or x and y (crv for curves other than P-256); ep binds a key to a name. Either all keys are imported or none; at most 10 000.",
    importNoDomain:
      "No domain that you operate trusts by list. Set trust of a domain to listed before you import keys.",
    file: "Choose a file…",
    content: "Keys (JWK set or CSV)",
    intoDomain: "Into",
    importButton: "Import",
    importing: (count: number) => (count === 1 ? "Probably one key." : `Probably ${count} keys.`),
    imported: (count: number, domain: string) =>
      `${count === 1 ? "One key is" : `${count} keys are`} on the list of ${domain}.`,
    importFailed: "Nothing was imported",
    line: (number: number) => `Line ${number}`,
    tooLarge: "The file is larger than 4 MiB: split it.",
  },
  de: {
    title: "Vertrauen",
    enrol: "Mit einem Etikett aufnehmen",
    waitingTab: (count: number) => (count === 0 ? "Wartend" : `Wartend (${count})`),
    keysTab: "Alle Schlüssel",
    aheadTab: "Vorab freigeben",
    importTab: "Importieren",

    firstUse: (domains: string) =>
      `Vertrauen beim ersten Kontakt${domains === "" ? "" : ` (${domains})`}`,
    firstUseWhat:
      "Hier vertraut das Gateway dem ersten Schlüssel, der einen Namen registriert, ungesehen. Jede spätere Änderung bemerkt es, nicht aber, ob der erste Schlüssel der richtige war: Wer zuerst kam, hat den Namen. Vergleichen Sie jeden Fingerabdruck einmal mit dem Etikett des Sensors, unter „Alle Schlüssel“.",
    firstUseOf: (domain: string) => `Domäne ${domain}`,
    nameless: "Domäne ohne Namen",

    none: "Kein Schlüssel wartet auf eine Entscheidung.",
    noneWhat:
      "Hier erscheinen Schlüssel neuer Sensoren und Schlüssel, die den Namen eines anderen verlangen. Sie erscheinen sofort.",
    mustDecide:
      "Vergleichen Sie den Fingerabdruck mit dem Etikett des Sensors, bevor Sie ihn freigeben.",
    onlyOperators:
      "Über Schlüssel entscheiden nur Konten mit der Rolle operator. Melden Sie sich mit einem solchen an.",
    fingerprint: "Fingerabdruck",
    fingerprintOf: (name: string) => `Fingerabdruck des Schlüssels von ${name}`,
    since: "Seit",
    from: "Von",
    domain: "Domäne",
    reason: "Warum er wartet",
    unknown: "unbekannt",
    approve: "Freigeben…",
    refuse: "Ablehnen…",
    showQr: "QR-Code",
    hideQr: "QR-Code ausblenden",
    qrOf: "QR-Code des Fingerabdrucks",

    present: "Jetziger Schlüssel",
    requested: "Neuer Schlüssel",
    firstSeen: "Zuerst gesehen",
    lastRegistered: "Zuletzt registriert",
    trustedHow: "Wie ihm vertraut wurde",
    notInAudit: "nicht mehr im Prüfprotokoll",
    remembered: "In diesem Browser geprüft seit",
    asksSince: "Verlangt den Namen seit",
    noPresent: "Der jetzige Schlüssel konnte nicht gelesen werden.",

    approveTitle: (name: string) => `Schlüssel von ${name} freigeben?`,
    approveWhat: (name: string) =>
      `Das Gateway nimmt an und liefert aus, was dieser Schlüssel als ${name} signiert. Andere Schlüssel, die auf den Namen warten, werden abgelehnt.`,
    replaceTitle: (name: string) => `Schlüssel von ${name} ersetzen?`,
    replaceWhat: (name: string) =>
      `Von nun an signiert der neue Schlüssel für ${name}. Werte des jetzigen Schlüssels werden abgelehnt; bisherige bleiben prüfbar. Rückgängig macht das nur ein weiterer Wechsel des Schlüssels.`,
    compared: "Ich habe diese Gruppen mit dem Etikett des Sensors verglichen, sie sind gleich.",
    approveConfirm: "Freigeben",
    replaceConfirm: "Schlüssel ersetzen",
    select: (name: string) => `Schlüssel von ${name} auswählen`,
    selectAll: (count: number) => `Alle ${count} neuen Schlüssel auswählen`,
    approveMany: (count: number) => `${count} Schlüssel freigeben…`,
    approveManyTitle: (count: number) => `${count} Schlüssel freigeben?`,
    approveManyWhat:
      "Das Gateway liefert dann unter diesen Namen aus, was diese Schlüssel signieren.",
    comparedMany: "Ich habe jeden mit dem Etikett seines Sensors verglichen, sie sind gleich.",
    approvedMany: (count: number) =>
      count === 1 ? "1 Schlüssel wird vertraut." : `${count} Schlüsseln wird vertraut.`,
    refuseTitle: (name: string) => `Schlüssel für ${name} ablehnen?`,
    refuseNew: (name: string) =>
      `Die Registrierung von ${name} wird entfernt. Ein Sensor mit diesem Schlüssel kann sich wieder registrieren und wartet dann wieder; für immer lehnt ihn nur ein Widerruf ab.`,
    refuseHeld: (name: string) =>
      `${name} behält den jetzigen Schlüssel. Der Sensor mit dem neuen wird nicht gehört; er kann wieder fragen, wenn der Schlüssel nicht widerrufen wird.`,
    refuseConfirm: "Ablehnen",
    approved: (name: string) => `Dem Schlüssel von ${name} wird vertraut.`,
    refused: (name: string) => `Der Schlüssel für ${name} ist abgelehnt.`,

    aheadTitle: "Nach Fingerabdruck freigeben",
    aheadWhat:
      "Tippen oder scannen Sie den Fingerabdruck vom Etikett eines Sensors. Ein wartender Schlüssel wird gezeigt; einem anderen wird vertraut, sobald er sich registriert.",
    typed: "Fingerabdruck",
    typedHint:
      "43 Buchstaben, Ziffern, Binde- und Unterstriche; Leerzeichen zählen nicht, Großschreibung schon.",
    typedWrong: (letters: number, wanted: number) =>
      letters === wanted
        ? "Das sind nicht die Zeichen eines Fingerabdrucks: Vergleichen Sie sie noch einmal."
        : `Ein Fingerabdruck hat ${wanted} Zeichen, das sind ${letters}.`,
    look: "Diesen Schlüssel suchen",
    where: "Für",
    allDomains: "jeden neuen Namen in jeder Domäne",
    inDomain: (domain: string) => `jeden neuen Namen in ${domain}`,
    matches: (name: string) => `Das ist der Schlüssel, der auf ${name} wartet.`,
    alreadyTrusted: (name: string) => `Diesem Schlüssel wird schon vertraut, als ${name}.`,
    isRevoked: "Dieser Schlüssel ist widerrufen: Keine Freigabe kann das ändern.",
    noMatch: "Kein Schlüssel mit diesem Fingerabdruck wartet zurzeit.",
    aheadButton: "Vorab freigeben",
    aheadConfirm: "Vorab freigeben",
    aheadAsk:
      "Der nächsten Registrierung mit diesem Schlüssel wird ohne weitere Frage vertraut, unter einem Namen, den kein vertrauter Schlüssel hat.",
    aheadDone: "Dem Schlüssel wird bei seiner nächsten Registrierung vertraut.",

    state: "Zustand",
    anyState: "Jeder Zustand",
    states: {
      pending: "wartet (pending)",
      held: "zurückgehalten (held)",
      trusted: "vertraut (trusted)",
      listed: "gelistet (listed)",
      unproven: "unbewiesen (unproven)",
      replaced: "ersetzt (replaced)",
      revoked: "widerrufen (revoked)",
    },
    endpoint: "Endpunkt",
    endpointExact: "Endpunkt (ganzer Name)",
    anyEndpoint: "jeder",
    actions: "Aktionen",
    more: "Mehr zeigen",
    noKeys: "Kein Schlüssel passt.",
    revoke: "Widerrufen…",
    unlist: "Von der Liste nehmen…",
    approvedAhead: "für die nächste Registrierung freigegeben",
    takeBack: "Freigabe zurücknehmen…",
    takeBackTitle: "Freigabe zurücknehmen?",
    takeBackWhat: "Der Schlüssel wartet auf eine Entscheidung, wenn er sich registriert.",
    takeBackConfirm: "Zurücknehmen",
    revokeTitle: "Diesen Schlüssel für immer widerrufen?",
    revokeWhat:
      "Das lässt sich nicht rückgängig machen. Es gilt unter jedem Namen und in jeder Domäne: Neue Werte des Schlüssels werden abgelehnt, und alle, die er signiert hat, nicht mehr ausgeliefert, auch der Verlauf nicht; nur Exporte für Bediener enthalten sie, als widerrufen markiert. Der Sensor braucht einen neuen Schlüssel.",
    revokeSure: (name: string) => `Ich will den Schlüssel von ${name} für immer widerrufen.`,
    revokeConfirm: "Für immer widerrufen",
    revoked: "Der Schlüssel ist widerrufen.",
    unlistTitle: "Diesen Schlüssel von der Liste nehmen?",
    unlistWhat:
      "Über die Liste kann er sich nicht mehr registrieren. Ein Endpunkt, den er registriert hat, bleibt; auch ihn beendet ein Widerruf.",
    unlistConfirm: "Entfernen",
    unlisted: "Der Schlüssel steht nicht mehr auf der Liste.",
    close: "Schließen",

    importTitle: "Schlüssel importieren",
    importWhat:
      "Für Domänen, die nach Liste vertrauen. Ein JWK-Set oder eine Tabelle (CSV), deren erste Zeile die Spalten nennt: jkt, oder x und y (crv für andere Kurven als P-256); ep bindet einen Schlüssel an einen Namen. Alle Schlüssel werden importiert oder keiner, höchstens 10 000.",
    importNoDomain:
      "Keine Domäne, die Sie betreuen, vertraut nach Liste. Die Einstellung trust einer Domäne muss listed sein, bevor Schlüssel importiert werden.",
    file: "Datei wählen…",
    content: "Schlüssel (JWK-Set oder CSV)",
    intoDomain: "In",
    importButton: "Importieren",
    importing: (count: number) =>
      count === 1
        ? "Ein Schlüssel, soweit die Seite das erkennt."
        : `${count} Schlüssel, soweit die Seite das erkennt.`,
    imported: (count: number, domain: string) =>
      `${count === 1 ? "Ein Schlüssel steht" : `${count} Schlüssel stehen`} auf der Liste von ${domain}.`,
    importFailed: "Nichts wurde importiert",
    line: (number: number) => `Zeile ${number}`,
    tooLarge: "Die Datei hat mehr als 4 MiB: Teilen Sie sie.",
  },
};
