const en = {
  title: "Audit",
  explain:
    "Every decision about keys, commands, the network, accounts and settings, the newest first.",
  search: "Search who and what",
  endpoint: "Name of an endpoint",
  domain: "Domain of the endpoint",
  namelessDomain: "- (without a name)",
  reload: "Reload",
  more: "Show older decisions",
  newer: "Show newer decisions",
  newest: "Show the newest",
  searchOn: "Search older decisions",
  none: "No decision matches.",
  noneYet: "No decision searched so far matches.",
  columns: { at: "When", by: "Who", what: "What", about: "About" },
  changes: (count: number) => (count === 1 ? "1 change" : `${count} changes`),
  member: "Member",
  before: "Before",
  after: "After",
  absent: "(none)",
  copyKey: "key’s thumbprint",
};

const de: typeof en = {
  title: "Prüfprotokoll",
  explain:
    "Jede Entscheidung über Schlüssel, Befehle, das Netz, Konten und Einstellungen, die neueste zuerst.",
  search: "Wer und was suchen",
  endpoint: "Name eines Endpunkts",
  domain: "Domäne des Endpunkts",
  namelessDomain: "- (ohne Namen)",
  reload: "Neu laden",
  more: "Ältere Entscheidungen zeigen",
  newer: "Neuere Entscheidungen zeigen",
  newest: "Die neuesten zeigen",
  searchOn: "Ältere Entscheidungen durchsuchen",
  none: "Keine Entscheidung passt.",
  noneYet: "Unter den bisher durchsuchten passt keine Entscheidung.",
  columns: { at: "Wann", by: "Wer", what: "Was", about: "Worüber" },
  changes: (count: number) => (count === 1 ? "1 Änderung" : `${count} Änderungen`),
  member: "Feld",
  before: "Vorher",
  after: "Nachher",
  absent: "(keins)",
  copyKey: "Fingerabdruck des Schlüssels",
};

export const messages = { en, de };
