export const ipsecMessages = {
  en: {
    title: "IPsec",
    none: "This gateway has no IPsec associations.",
    noneWhat:
      "The setting vigil.border.ipsec (or --sa FILE) names a file of associations; “./vigil sa new” makes one for a mote and this gateway. The gateway always forwards packets that motes and other hosts protect between themselves.",
    file: "File",
    loaded: "Loaded",
    count: "Associations",
    packets: "Packets",
    octets: "Octets in clear",
    saved: "Octets saved on the air",
    refused: "Refused",
    fileProblem: "The current file is not used",
    fileProblemWhat:
      "The loaded associations stay in use. Correct the file; the gateway reads it when it changes.",
    notReady: (count: number) =>
      count === 1 ? "One association carries nothing" : `${count} associations carry nothing`,
    recordMissing:
      "record_missing: the record of its sequence numbers is lost, and numbers must not repeat under one key. Make a new association at both ends.",
    exhausted: "exhausted: all its sequence numbers are used. Make a new association at both ends.",
    warnings: "Warnings",
    line: "Line",
    direction: "Direction",
    directions: { in: "in", out: "out" },
    peer: "Peer",
    protection: "Protection",
    spi: "SPI",
    state: "State",
    icv: "ICV failures",
    replays: "Replays",
    policy: "Policy drops",
    other: "Other drops",
    list: "Security associations",
    keysNever: "Keys are never shown: the gateway discloses them to nobody.",
    more: "Only the first thousand associations are shown.",
    reload: "Reload the file…",
    reloadTitle: "Reload the file of associations?",
    reloadWhat:
      "Unchanged associations continue with their numbers. Associations that are no longer in the file end, and their packets are dropped. A file with errors changes nothing.",
    reloadNew: "New associations in it were never used (--new-sa)",
    reloadNewWhat:
      "Select this only if it is true: if numbers start again under an old key, others can read the association’s packets.",
    reloadConfirm: "Load",
    reloaded: (added: number, kept: number, removed: number) =>
      `Loaded: ${added} added, ${kept} kept, ${removed} removed.`,
  },
  de: {
    title: "IPsec",
    none: "Dieses Gateway hat keine IPsec-Assoziationen.",
    noneWhat:
      "Die Einstellung vigil.border.ipsec (oder --sa DATEI) nennt eine Datei mit Assoziationen; „./vigil sa new“ erzeugt eine für einen Sensor und dieses Gateway. Was Sensoren und andere Rechner untereinander schützen, leitet das Gateway in jedem Fall weiter.",
    file: "Datei",
    loaded: "Geladen",
    count: "Assoziationen",
    packets: "Pakete",
    octets: "Oktette im Klartext",
    saved: "Im Funk gesparte Oktette",
    refused: "Abgelehnt",
    fileProblem: "Die Datei in ihrem jetzigen Zustand wird nicht verwendet",
    fileProblemWhat:
      "Die laufenden Assoziationen gelten weiter. Berichtigen Sie die Datei; sie wird bei jeder Änderung gelesen.",
    notReady: (count: number) =>
      count === 1
        ? "Eine Assoziation überträgt nichts"
        : `${count} Assoziationen übertragen nichts`,
    recordMissing:
      "record_missing: Der Stand ihrer Nummern fehlt, und Nummern dürfen sich unter einem Schlüssel nicht wiederholen. Erzeugen Sie an beiden Enden eine neue Assoziation.",
    exhausted:
      "exhausted: Alle ihre Nummern sind verbraucht. Erzeugen Sie an beiden Enden eine neue Assoziation.",
    warnings: "Warnungen",
    line: "Zeile",
    direction: "Richtung",
    directions: { in: "ein", out: "aus" },
    peer: "Partner",
    protection: "Schutz",
    spi: "SPI",
    state: "Zustand",
    icv: "ICV-Fehler",
    replays: "Wiederholungen",
    policy: "Regelverstöße",
    other: "Sonstige",
    list: "Sicherheitsassoziationen",
    keysNever: "Schlüssel werden nie gezeigt: Das Gateway gibt sie niemandem.",
    more: "Nur die ersten tausend Assoziationen werden gezeigt.",
    reload: "Datei neu laden…",
    reloadTitle: "Die Datei der Assoziationen neu laden?",
    reloadWhat:
      "Unveränderte Assoziationen zählen ihre Nummern weiter. Solche, die nicht mehr in der Datei stehen, enden, und was sie übertragen würden, wird verworfen. Eine Datei mit Fehlern ändert nichts.",
    reloadNew: "Neue Assoziationen darin wurden nie benutzt (--new-sa)",
    reloadNewWhat:
      "Nur, wenn das stimmt: Eine Assoziation, deren Nummern unter einem alten Schlüssel neu beginnen, können andere lesen.",
    reloadConfirm: "Laden",
    reloaded: (added: number, kept: number, removed: number) =>
      `Geladen: ${added} neu, ${kept} unverändert, ${removed} entfernt.`,
  },
};
