const en = {
  title: "System",
  gateway: "Gateway",
  health: "Health",
  status: {
    UP: "works",
    DEGRADED: "works, with restrictions",
    RADIO_LOST: "works, without a radio",
    DOWN: "does not work",
    OUT_OF_SERVICE: "is stopping or starting",
    UNKNOWN: "unknown",
  } as Record<string, string>,
  statusHelp: "Open alarms give the cause.",
  version: "Version",
  build: "Build",
  builtAt: "Built",
  uptime: "Running for",
  reference: "Reference of the REST API",
  hidden: "Only operators of all domains see the version, the parts and the figures.",
  partsOf: (troubled: number) =>
    troubled === 0
      ? "All parts work"
      : troubled === 1
        ? "One part needs attention"
        : `${troubled} parts need attention`,
  parts: {
    clock: "Clock",
    directory: "Directory",
    diskSpace: "Disk",
    livenessState: "Process",
    northbound: "Other systems",
    publish: "Other directories",
    radio: "Radios",
    readinessState: "Readiness for requests",
    ssl: "Certificates",
    store: "Store",
  } as Record<string, string>,
  settings: "Settings",
  settingsHelp:
    "The settings that this gateway started with. A search also lists defaults. Secrets are never shown.",
  searchSettings: "Search settings",
  defaultsToo: "Include defaults",
  settingColumns: { name: "Setting", value: "Value", source: "Comes from" },
  sources: {
    default: "default",
    demo: "the demo (--demo)",
    store: "stored here",
    file: "file",
    environment: "environment",
    option: "command line",
  },
  secret: "secret",
  empty: "empty",
  store: "Store",
  figures: {
    endpoints: "endpoint names",
    waiting: "changes waiting for the disk",
    written: "changes written since the start",
    refused: "changes refused as old or repeated",
    failed: "changes that the disk refused",
    transactions: "transactions",
  },
  storeSize: "Size of the database",
  disk: "Free on the data folder’s disk",
  diskOf: (free: string, total: string) => `${free} of ${total}`,
  cluster: "Cluster",
  clusterOf: (gateway: string, duties: string) =>
    gateway === duties
      ? `this is ${gateway}, which has the duties`
      : `this is ${gateway}; ${duties || "no gateway"} has the duties`,
  clusterGateway: (name: string) => `Gateway ${name}`,
  clusterHeard: (since: string, silent: string, behind: string) =>
    `started ${since} ago, last heard ${silent} ago, ${behind} changes behind then`,
  clusterServers: "Servers of the cluster",
  clusterServersOf: (complete: number, all: number, lag: string) =>
    `${complete} of ${all} have all data; this gateway is ${lag} changes behind`,
  clusterSilent: (silent: string) => `no answer for ${silent}`,
  clusterRepair: "Last repair of the cluster",
  clusterRepairOf: (at: string, gateway: string, lost: string, stored: string) =>
    `${at} by ${gateway}: the servers had lost ${lost} changes, ${stored} are stored again`,
  memory: "Memory of Java in use",
  directories: "Other directories",
  directoriesHelp: "Directories that also list this gateway’s endpoints (mirror.publish).",
  noDirectories: "None is configured.",
  columns: {
    address: "Directory",
    shown: "Endpoints shown",
    state: "State",
    succeeded: "Last success",
  },
  fine: "works",
  waiting: "not yet tried",
  failing: (error: string) => `fails: ${error}`,
  systems: "Other systems",
  systemsHelp: "Systems that receive the readings of motes (northbound).",
  noSystems: "None is configured.",
  systemColumns: {
    name: "System",
    waiting: "Waiting",
    lag: "Behind by",
    delivered: "Delivered",
    lost: "Lost",
    state: "State",
  },
  authority: "Certificate authority",
  authorityHelp:
    "The gateway issues its own HTTPS certificate. Clients that trust this authority trust the gateway. Compare the fingerprint on the gateway’s machine before you trust a copy from the network:",
  noAuthority:
    "The gateway has no authority of its own: it serves HTTPS with your certificate, or no HTTPS at all (http.tls).",
  fingerprint: "SHA-256 fingerprint",
  noFingerprint: "Over plain HTTP the browser cannot compute a fingerprint.",
  download: "Download ca.pem",
  support: "Support",
  supportHelp:
    "A file for the people who help you: version, health, settings without secrets, radios, associations without keys, alarms. Review it before you send it: it names your domains and addresses.",
  supportDownload: "Download a report",
  supportLog: "With the log and the metrics, on the gateway’s machine:",
  supportCommand: "command",
};

const de: typeof en = {
  title: "System",
  gateway: "Gateway",
  health: "Zustand",
  status: {
    UP: "arbeitet",
    DEGRADED: "arbeitet eingeschränkt",
    RADIO_LOST: "arbeitet ohne Funk",
    DOWN: "arbeitet nicht",
    OUT_OF_SERVICE: "startet oder hält an",
    UNKNOWN: "unbekannt",
  },
  statusHelp: "Offene Alarme sagen, was nicht stimmt.",
  version: "Version",
  build: "Build",
  builtAt: "Gebaut",
  uptime: "Läuft seit",
  reference: "Referenz der REST-API (englisch)",
  hidden: "Version, Teile und Zahlen sehen Bediener aller Domänen.",
  partsOf: (troubled: number) =>
    troubled === 0
      ? "Alle Teile arbeiten"
      : troubled === 1
        ? "Ein Teil braucht Aufmerksamkeit"
        : `${troubled} Teile brauchen Aufmerksamkeit`,
  parts: {
    clock: "Uhr",
    directory: "Verzeichnis",
    diskSpace: "Platte",
    livenessState: "Prozess",
    northbound: "Andere Systeme",
    publish: "Andere Verzeichnisse",
    radio: "Funk",
    readinessState: "Bereit für Anfragen",
    ssl: "Zertifikate",
    store: "Speicher",
  },
  settings: "Einstellungen",
  settingsHelp:
    "Womit dieses Gateway gestartet ist. Vorgaben erscheinen bei der Suche. Geheimnisse werden nie gezeigt.",
  searchSettings: "Einstellungen suchen",
  defaultsToo: "auch Vorgaben",
  settingColumns: { name: "Einstellung", value: "Wert", source: "Kommt aus" },
  sources: {
    default: "Vorgabe",
    demo: "Demo (--demo)",
    store: "hier gespeichert",
    file: "Datei",
    environment: "Umgebung",
    option: "Befehlszeile",
  },
  secret: "geheim",
  empty: "leer",
  store: "Speicher",
  figures: {
    endpoints: "Namen von Endpunkten",
    waiting: "Änderungen, die auf die Platte warten",
    written: "seit dem Start geschriebene Änderungen",
    refused: "als alt oder wiederholt abgelehnte Änderungen",
    failed: "von der Platte abgelehnte Änderungen",
    transactions: "Transaktionen",
  },
  storeSize: "Größe der Datenbank",
  disk: "Frei auf der Platte des Datenordners",
  diskOf: (free: string, total: string) => `${free} von ${total}`,
  cluster: "Cluster",
  clusterOf: (gateway: string, duties: string) =>
    gateway === duties
      ? `dies ist ${gateway} mit den Aufgaben des Clusters`
      : `dies ist ${gateway}; die Aufgaben des Clusters hat ${duties || "kein Gateway"}`,
  clusterGateway: (name: string) => `Gateway ${name}`,
  clusterHeard: (since: string, silent: string, behind: string) =>
    `vor ${since} gestartet, zuletzt vor ${silent} gehört, damals ${behind} Änderungen zurück`,
  clusterServers: "Server des Clusters",
  clusterServersOf: (complete: number, all: number, lag: string) =>
    `${complete} von ${all} haben alle Daten; dieses Gateway ist ${lag} Änderungen zurück`,
  clusterSilent: (silent: string) => `keine Antwort seit ${silent}`,
  clusterRepair: "Letzte Reparatur des Clusters",
  clusterRepairOf: (at: string, gateway: string, lost: string, stored: string) =>
    `${at} durch ${gateway}: Die Server hatten ${lost} Änderungen verloren, ${stored} sind wieder gespeichert`,
  memory: "Belegter Speicher von Java",
  directories: "Andere Verzeichnisse",
  directoriesHelp: "Verzeichnisse, die unsere Endpunkte auch zeigen (mirror.publish).",
  noDirectories: "Keine sind eingestellt.",
  columns: {
    address: "Verzeichnis",
    shown: "Gezeigte Endpunkte",
    state: "Zustand",
    succeeded: "Letzter Erfolg",
  },
  fine: "arbeitet",
  waiting: "noch nicht versucht",
  failing: (error: string) => `scheitert: ${error}`,
  systems: "Andere Systeme",
  systemsHelp: "Systeme, die bekommen, was Sensoren messen (northbound).",
  noSystems: "Keine sind eingestellt.",
  systemColumns: {
    name: "System",
    waiting: "Wartend",
    lag: "Rückstand",
    delivered: "Geliefert",
    lost: "Verloren",
    state: "Zustand",
  },
  authority: "Zertifizierungsstelle",
  authorityHelp:
    "Das Gateway stellt sich sein HTTPS-Zertifikat selbst aus. Wer dieser Stelle vertraut, vertraut dem Gateway. Vergleichen Sie den Fingerabdruck auf dem Rechner des Gateways, bevor Sie einer Kopie aus dem Netz vertrauen:",
  noAuthority:
    "Das Gateway hat keine eigene Stelle: Es bedient HTTPS mit einem Zertifikat von Ihnen oder gar nicht (http.tls).",
  fingerprint: "SHA-256-Fingerabdruck",
  noFingerprint: "Über HTTP ohne TLS berechnet der Browser keinen Fingerabdruck.",
  download: "ca.pem herunterladen",
  support: "Hilfe",
  supportHelp:
    "Eine Datei für Menschen, die Ihnen helfen: Version, Zustand, Einstellungen ohne Geheimnisse, Funk, Assoziationen ohne Schlüssel, Alarme. Sehen Sie hinein, bevor Sie sie weitergeben: Sie nennt Ihre Domänen und Adressen.",
  supportDownload: "Bericht herunterladen",
  supportLog: "Mit Protokoll und Metriken, auf dem Rechner des Gateways:",
  supportCommand: "Befehl",
};

export const messages = { en, de };
