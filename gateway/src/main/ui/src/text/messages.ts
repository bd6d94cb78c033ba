/** Words that several pages use: times, states of the API, problems. */
export const commonMessages = {
  en: {
    justNow: "just now",
    ago: (duration: string) => `${duration} ago`,
    freshness: { "on-time": "On time", late: "Late", missing: "Missing" },
    trust: {
      trusted: "Trusted",
      pending: "Pending",
      unproven: "Unproven",
      replaced: "Replaced",
      revoked: "Revoked",
    },
    trustMeaning: {
      trusted: "The gateway serves values signed by this key.",
      pending: "Values are not served until an operator approves the key.",
      unproven: "The mote has not yet signed anything.",
      replaced: "A newer key has replaced this one.",
      revoked: "The gateway refuses updates signed by this key.",
    },
    problem: {
      page: "Something went wrong in this page. Reload it.",
      unreachable: "The gateway cannot be reached. Check the connection, then try again.",
      signedOut: "Your session has ended. Sign in again, then repeat what you did.",
      forbidden: "Your account may not do this. Ask an administrator for the right.",
      changed: "Somebody else has changed it meanwhile. Reload it, then try again.",
      tooMany: (wait: string) => `Too many requests. Wait ${wait}, then try again.`,
      busy: "The gateway is busy. Try again in a few seconds.",
      refused: (status: number) => `The gateway refused with ${status}. Its log says why.`,
    },
  },
  de: {
    justNow: "gerade eben",
    ago: (duration: string) => `vor ${duration}`,
    freshness: { "on-time": "Pünktlich", late: "Verspätet", missing: "Vermisst" },
    trust: {
      trusted: "Vertraut",
      pending: "Wartet auf Freigabe",
      unproven: "Unbewiesen",
      replaced: "Ersetzt",
      revoked: "Widerrufen",
    },
    trustMeaning: {
      trusted: "Das Gateway liefert Werte aus, die dieser Schlüssel signiert hat.",
      pending: "Werte werden erst ausgeliefert, wenn jemand den Schlüssel freigibt.",
      unproven: "Der Sensor hat noch nichts signiert.",
      replaced: "Ein neuerer Schlüssel hat diesen ersetzt.",
      revoked: "Das Gateway lehnt Werte ab, die dieser Schlüssel signiert hat.",
    },
    problem: {
      page: "Auf dieser Seite ist etwas schiefgegangen. Laden Sie sie neu.",
      unreachable:
        "Das Gateway ist nicht erreichbar. Prüfen Sie die Verbindung und versuchen Sie es dann wieder.",
      signedOut:
        "Ihre Sitzung ist zu Ende. Melden Sie sich wieder an und wiederholen Sie den letzten Schritt.",
      forbidden:
        "Ihr Konto darf das nicht. Bitten Sie eine Administratorin oder einen Administrator um das Recht.",
      changed:
        "Jemand anderes hat es inzwischen geändert. Laden Sie es neu und versuchen Sie es dann wieder.",
      tooMany: (wait: string) =>
        `Zu viele Anfragen. Warten Sie ${wait} und versuchen Sie es dann wieder.`,
      busy: "Das Gateway ist beschäftigt. Versuchen Sie es in ein paar Sekunden wieder.",
      refused: (status: number) =>
        `Das Gateway hat mit ${status} abgelehnt. Sein Protokoll sagt, warum.`,
    },
  },
};
