export const shellMessages = {
  en: {
    navigation: "Pages",
    openNavigation: "Show the list of pages",
    closeNavigation: "Close the list of pages",
    skip: "Skip to the content",
    otherLanguage: "Deutsch",
    useDark: "Use dark colours",
    useLight: "Use light colours",
    signIn: "Sign in",
    signOut: "Sign out",
    accountMenu: (name: string) => `Account ${name}`,
    noRole: "no role in any domain",
    asOf: (time: string) => `, as of ${time}`,
    connecting: "Connecting",
    live: "Live",
    reconnecting: "Reconnecting",
    signedOut: "Signed out",
    noAccess: "No access",
    noDomainTitle: "You have no access to any domain",
    noDomain: "Your account has no role in any domain. Ask an administrator for one.",
    insecureTitle: "Signatures cannot be checked here",
    insecure:
      "Browsers check signatures only on pages loaded over HTTPS or from this machine. Open the gateway’s HTTPS address, or forward its port to localhost.",
    lost: (time: string, age: string) =>
      `The gateway has been unreachable since ${time} (${age}). All values shown are older.`,
    lostRetry:
      "The page retries every few seconds. If this continues, check the network and whether the gateway is running.",
    staleTitle: "The values may be old",
    stale: (time: string, age: string) =>
      `The gateway has had no contact with its cluster since ${time} (${age}). Other gateways may have newer values. New values and changes are not stored until the contact is back.`,
    notFound: "There is no such page",
    notFoundWhat:
      "The address may be mistyped or belong to another version. The list contains all pages.",
    noRight: "This page needs another role",
    noRightWhat: (role: string) =>
      `Only accounts with the role ${role} may open it. Ask an administrator for the role.`,
    signInFirst: "Sign in to open this page",
    broken: "This page failed",
    brokenWhat:
      "An error occurred. Reload the page; if it fails again, report the text below with the gateway’s version.",
    notLoaded: "This page could not be loaded",
    notLoadedWhat:
      "The gateway did not deliver the page’s program. Check the connection, then reload the page.",
    reload: "Reload",
    loading: "Loading",
  },
  de: {
    navigation: "Seiten",
    openNavigation: "Liste der Seiten zeigen",
    closeNavigation: "Liste der Seiten schließen",
    skip: "Zum Inhalt springen",
    otherLanguage: "English",
    useDark: "Dunkle Farben verwenden",
    useLight: "Helle Farben verwenden",
    signIn: "Anmelden",
    signOut: "Abmelden",
    accountMenu: (name: string) => `Konto ${name}`,
    noRole: "keine Rolle in einer Domäne",
    asOf: (time: string) => `, Stand ${time}`,
    connecting: "Verbindet",
    live: "Live",
    reconnecting: "Verbindet neu",
    signedOut: "Abgemeldet",
    noAccess: "Kein Zugang",
    noDomainTitle: "Keine Domäne steht Ihnen offen",
    noDomain:
      "Ihr Konto hat in keiner Domäne eine Rolle. Bitten Sie eine Administratorin oder einen Administrator darum.",
    insecureTitle: "Signaturen können hier nicht geprüft werden",
    insecure:
      "Browser prüfen Signaturen nur auf Seiten, die über HTTPS oder von diesem Rechner geladen wurden. Öffnen Sie die HTTPS-Adresse des Gateways oder leiten Sie seinen Port auf localhost weiter.",
    lost: (time: string, age: string) =>
      `Das Gateway ist seit ${time} nicht erreichbar (${age}). Alle Werte sind von davor.`,
    lostRetry:
      "Die Seite versucht es alle paar Sekunden von selbst. Bleibt es dabei, prüfen Sie das Netz und ob das Gateway läuft.",
    staleTitle: "Die Werte sind vielleicht veraltet",
    stale: (time: string, age: string) =>
      `Das Gateway hat seit ${time} (${age}) keinen Kontakt zu seinem Cluster. Andere Gateways haben vielleicht neuere Werte. Neue Werte und Änderungen werden erst gespeichert, wenn der Kontakt zurück ist.`,
    notFound: "Diese Seite gibt es nicht",
    notFoundWhat:
      "Die Adresse stammt vielleicht von einer anderen Version oder enthält einen Tippfehler. Alle Seiten stehen in der Liste.",
    noRight: "Diese Seite braucht eine andere Rolle",
    noRightWhat: (role: string) =>
      `Nur Konten mit der Rolle ${role} dürfen sie benutzen. Bitten Sie eine Administratorin oder einen Administrator um die Rolle.`,
    signInFirst: "Melden Sie sich an, um diese Seite zu öffnen",
    broken: "Diese Seite ist stehen geblieben",
    brokenWhat:
      "Ein Fehler hat sie beendet. Laden Sie sie neu; bleibt sie wieder stehen, melden Sie den Text unten mit der Version des Gateways.",
    notLoaded: "Diese Seite konnte nicht geladen werden",
    notLoadedWhat:
      "Das Gateway hat ihr Programm nicht gesendet. Prüfen Sie die Verbindung und laden Sie sie dann neu.",
    reload: "Neu laden",
    loading: "Lädt",
  },
};

export const signInMessages = {
  en: {
    signIn: "Sign in",
    ended: "Your session has ended. Sign in to continue.",
    account: "Account",
    password: "Password",
    back: "Back",
    or: "or",
    firstTime:
      "First time here? Sign in as “admin” with the one-time password that the gateway printed when it started, or wrote to the file it named.",
    choose: "Choose your password",
    chooseWhy: (name: string) =>
      `You signed in as ${name} with a one-time password. Replace it by one that only you know.`,
    oneTime: "One-time password",
    wanted: "New password",
    wantedHint: "At least 12 characters; several words are fine.",
    again: "Repeat new password",
    change: "Change password",
    signOut: "Sign out",
  },
  de: {
    signIn: "Anmelden",
    ended: "Ihre Sitzung ist zu Ende. Melden Sie sich an, um fortzufahren.",
    account: "Konto",
    password: "Passwort",
    back: "Zurück",
    or: "oder",
    firstTime:
      "Zum ersten Mal hier? Melden Sie sich als „admin“ mit dem Einmalpasswort an, das das Gateway beim Start ausgegeben oder in die genannte Datei geschrieben hat.",
    choose: "Passwort wählen",
    chooseWhy: (name: string) =>
      `Sie haben sich als ${name} mit einem Einmalpasswort angemeldet. Ersetzen Sie es durch eines, das nur Sie kennen.`,
    oneTime: "Einmalpasswort",
    wanted: "Neues Passwort",
    wantedHint: "Mindestens 12 Zeichen; mehrere Wörter sind gut.",
    again: "Neues Passwort noch einmal",
    change: "Passwort ändern",
    signOut: "Abmelden",
  },
};
