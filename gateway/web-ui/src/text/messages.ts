/** Texts that several pages use: times, states of the API, problems. */
export const commonMessages = {
  en: {
    signedValue: "signed value",
    justNow: "just now",
    ago: (duration: string) => `${duration} ago`,
    freshness: {
      "on-time": "On time",
      late: "Late",
      missing: "Missing",
      "not-trusted": "Not trusted",
    },
    /** Why an endpoint's key is not trusted. */
    notTrusted: {
      pending: "Waits for approval",
      unproven: "Waits for its first value",
      revoked: "Key revoked",
    },
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
    /** Why the gateway refused requests of an endpoint, by the API's names. */
    rejection: {
      malformed: "malformed",
      "forbidden-member": "member not allowed",
      "wrong-resource": "signed for another resource",
      "value-not-accepted": "value that the resource does not take",
      "bad-signature": "wrong signature",
      "unknown-key": "unknown key",
      "address-unproven": "sender address not proven",
      "unknown-commander": "not signed by a commander",
      "not-trusted": "key not trusted",
      policy: "not allowed in its domain",
      "no-entry": "no such resource",
      "not-allowed": "method not allowed",
      "number-used": "number already used: a repeat",
      "outside-window": "number too far ahead",
      "too-large": "too large",
      "unknown-format": "unknown format",
      "too-fast": "too many requests",
      overloaded: "gateway overloaded",
      "not-stored": "refused by the store",
    },
    problem: {
      page: "Something went wrong on this page. Reload it.",
      unreachable: "The gateway cannot be reached. Check the connection, then try again.",
      signedOut: "Your session has ended. Sign in again, then repeat the last step.",
      forbidden: "Your account is not allowed to do this. Ask an administrator for the role.",
      changed: "Somebody else changed it in the meantime. Reload it, then try again.",
      tooMany: (wait: string) => `Too many requests. Wait ${wait}, then try again.`,
      busy: "The gateway is busy. Try again in a few seconds.",
      refused: (status: number) =>
        `The gateway refused the request with status ${status}. Its log gives the reason.`,
      passkey: {
        "not-used":
          "No passkey was used: the request was cancelled or timed out, or this browser has no passkey for this page. Try again, or sign in another way.",
        known:
          "This authenticator already has a passkey for the account. Use another authenticator, or keep the existing passkey.",
        unsupported:
          "This browser or authenticator does not support the passkeys required here. Use another one that asks for a PIN or a fingerprint.",
        insecure:
          "Browsers allow passkeys only on localhost and on HTTPS pages with a trusted certificate. Open the gateway by its host name.",
      },
    },
  },
  de: {
    signedValue: "signierter Wert",
    justNow: "gerade eben",
    ago: (duration: string) => `vor ${duration}`,
    freshness: {
      "on-time": "Pünktlich",
      late: "Verspätet",
      missing: "Vermisst",
      "not-trusted": "Nicht vertraut",
    },
    notTrusted: {
      pending: "Wartet auf Freigabe",
      unproven: "Wartet auf ersten Wert",
      revoked: "Schlüssel widerrufen",
    },
    trust: {
      trusted: "Vertraut",
      pending: "Wartend",
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
    rejection: {
      malformed: "missgestaltet",
      "forbidden-member": "ein unerlaubtes Feld",
      "wrong-resource": "für andere Ressource signiert",
      "value-not-accepted": "Wert, den die Ressource nicht nimmt",
      "bad-signature": "falsche Signatur",
      "unknown-key": "unbekannter Schlüssel",
      "address-unproven": "Absender unbewiesen",
      "unknown-commander": "Schlüssel ohne Befehlsrecht",
      "not-trusted": "Schlüssel nicht vertraut",
      policy: "in der Domäne nicht erlaubt",
      "no-entry": "keine solche Ressource",
      "not-allowed": "Methode nicht erlaubt",
      "number-used": "Nummer schon benutzt: eine Wiederholung",
      "outside-window": "Nummer zu weit voraus",
      "too-large": "zu groß",
      "unknown-format": "unbekanntes Format",
      "too-fast": "zu viele Anfragen",
      overloaded: "Gateway überlastet",
      "not-stored": "vom Speicher abgelehnt",
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
      passkey: {
        "not-used":
          "Kein Passkey wurde benutzt: Es wurde abgebrochen, dauerte zu lange, oder dieser Browser hat keinen für diese Seite. Versuchen Sie es noch einmal oder melden Sie sich anders an.",
        known:
          "Auf diesem Gerät gibt es schon einen Passkey des Kontos. Nehmen Sie ein anderes Gerät oder behalten Sie den vorhandenen.",
        unsupported:
          "Dieser Browser oder dieses Gerät kann nicht, was Passkeys hier brauchen. Nehmen Sie ein anderes; es muss nach PIN oder Fingerabdruck fragen.",
        insecure:
          "Browser benutzen Passkeys nur auf Seiten über HTTPS mit einem Zertifikat, dem sie vertrauen, und als localhost. Öffnen Sie das Gateway unter seinem Namen.",
      },
    },
  },
};
