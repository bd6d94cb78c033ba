import type { Role } from "../../gateway/roles";

const role: Record<Role, string> = {
  viewer: "viewer",
  operator: "operator",
  administrator: "administrator",
};
const roleMeaning: Record<Role, string> = {
  viewer: "reads values and looks up endpoints",
  operator: "also sends commands and decides about keys",
  administrator: "also manages accounts and settings",
};

const en = {
  title: "Accounts and tokens",
  accounts: "Accounts",
  tokens: "API tokens",
  sessions: "Sessions",
  password: "My password",
  role,
  roleMeaning,
  cancel: "Cancel",
  close: "Close",
  everyDomain: "all domains",
  namelessDomain: "- (without a name)",
  inDomain: (domain: string) => `in ${domain}`,
  noRole: "no role",
  account: {
    add: "Add an account",
    none: "There is no account that you administer.",
    columns: {
      name: "Account",
      roles: "Roles",
      state: "State",
      created: "Created",
      actions: "Actions",
    },
    active: "active",
    locked: "locked",
    oneTime: "one-time password not yet changed",
    you: "you",
    edit: "Edit",
    reset: "Reset password",
    lock: "Lock",
    unlock: "Unlock",
    remove: "Delete",
    name: "Name",
    nameHelp: "People sign in with it. It cannot be changed later.",
    nameFault:
      "Use 1 to 63 lower-case letters, digits and . _ @ -, beginning with a letter or digit.",
    roles: "Roles",
    roleLabel: (number: number) => `Role ${number}`,
    domainLabel: (number: number) => `Domain of role ${number}`,
    addRole: "Add a role",
    removeRole: (number: number) => `Remove role ${number}`,
    identities: "Keys and certificates (optional)",
    identitiesHelp:
      "One per line: psk:NAME, rpk:THUMBPRINT, cert:CN:NAME or cert:DNS:NAME. CoAPS clients that present one of them have these roles.",
    createTitle: "New account",
    create: "Create account",
    editTitle: (name: string) => `Account ${name}`,
    save: "Save account",
    resetTitle: (name: string) => `Reset the password of ${name}?`,
    resetLoses: (sessions: number) =>
      `The current password stops working, and ${sessionsEnd(sessions)}. API tokens stay valid.`,
    lockTitle: (name: string) => `Lock ${name}?`,
    lockLoses: (sessions: number, tokens: number) =>
      `${capital(sessionsEnd(sessions))}. ${tokenCount(tokens)} of the account ${tokens === 1 ? "is" : "are"} refused until it is unlocked.`,
    removeTitle: (name: string) => `Delete the account ${name}?`,
    removeLoses: (sessions: number, tokens: number) =>
      `${capital(sessionsEnd(sessions))}, and ${tokenCount(tokens)} ${tokens === 1 ? "is" : "are"} lost. This cannot be undone; the audit trail keeps what the account did.`,
  },
  secret: {
    password: "password",
    token: "token",
    passwordTitle: (name: string) => `One-time password of ${name}`,
    passwordUse:
      "It is shown only once. Hand it over in person or through another secure channel. It must be replaced at the first sign-in.",
    tokenTitle: (name: string) => `API token “${name}”`,
    tokenUse:
      "It is shown only once: store it where your program can find it. Send it as “Authorization: Bearer TOKEN”.",
    done: "I have saved it",
  },
  token: {
    add: "Create a token",
    none: "There is no API token.",
    columns: {
      name: "Token",
      account: "Account",
      roles: "Roles",
      expires: "Expires",
      actions: "Actions",
    },
    expired: "expired",
    explain:
      "Programs use tokens instead of a password. A token never grants more than its account, and is deleted with it.",
    revoke: "Revoke",
    revokeTitle: (name: string) => `Revoke the token “${name}”?`,
    suspended: "suspended",
    suspendedTokens: (count: number) =>
      `A backup was restored. ${tokenCount(count)} ${count === 1 ? "was" : "were"} suspended, because tokens may have been revoked since the backup. Confirm the tokens that are still valid, and revoke the others.`,
    confirm: "Confirm",
    confirmTitle: (name: string) => `Confirm the token “${name}”?`,
    confirmMeans:
      "Programs can use the token again. Do so only if it was not revoked after the backup.",
    revokeLoses: "Programs that use it are refused from now on. This cannot be undone.",
    makeTitle: "New API token",
    make: "Create token",
    name: "What it is for",
    nameFault:
      "Start with a letter or digit, followed by letters, digits, spaces, dots, hyphens and underscores; at most 63 characters.",
    days: "Valid for (days)",
    daysHelp: "1 to 366",
    daysFault: "Enter a whole number from 1 to 366.",
    rolesFault: "Select at least one role, and only roles that you have.",
  },
  session: {
    none: "Nobody is signed in.",
    columns: {
      account: "Account",
      client: "Where",
      signedIn: "Signed in",
      seen: "Last request",
      expires: "Ends",
      actions: "Actions",
    },
    current: "this session",
    end: "End",
    endTitle: (account: string) => `End the session of ${account}?`,
    endLoses: "Unsaved input in that browser is lost. The account can sign in again.",
  },
  own: {
    present: "Current password",
    wanted: "New password",
    again: "Repeat new password",
    help: "At least 12 characters; several words are fine.",
    change: "Change password",
    explain: "Your other sessions end. API tokens stay valid.",
    done: "The password is changed. Your other sessions have ended.",
    wrong: "The current password is wrong.",
  },
};

function tokenCount(tokens: number): string {
  return tokens === 1 ? "1 API token" : `${tokens} API tokens`;
}

function sessionsEnd(sessions: number): string {
  return sessions === 0
    ? "no session is open"
    : sessions === 1
      ? "1 open session ends"
      : `${sessions} open sessions end`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

type Messages = typeof en;

const de: Messages = {
  title: "Konten und Token",
  accounts: "Konten",
  tokens: "API-Token",
  sessions: "Sitzungen",
  password: "Mein Passwort",
  role: { viewer: "viewer", operator: "operator", administrator: "administrator" },
  roleMeaning: {
    viewer: "liest Werte und sucht Endpunkte",
    operator: "sendet auch Befehle und entscheidet über Schlüssel",
    administrator: "verwaltet auch Konten und Einstellungen",
  },
  cancel: "Abbrechen",
  close: "Schließen",
  everyDomain: "alle Domänen",
  namelessDomain: "- (ohne Namen)",
  inDomain: (domain) => `in ${domain}`,
  noRole: "keine Rolle",
  account: {
    add: "Konto anlegen",
    none: "Es gibt kein Konto, das Sie verwalten.",
    columns: {
      name: "Konto",
      roles: "Rollen",
      state: "Zustand",
      created: "Angelegt",
      actions: "Aktionen",
    },
    active: "aktiv",
    locked: "gesperrt",
    oneTime: "Einmalpasswort noch nicht geändert",
    you: "Sie",
    edit: "Bearbeiten",
    reset: "Passwort zurücksetzen",
    lock: "Sperren",
    unlock: "Entsperren",
    remove: "Löschen",
    name: "Name",
    nameHelp: "Damit meldet man sich an. Er bleibt.",
    nameFault:
      "1 bis 63 Kleinbuchstaben, Ziffern und . _ @ -, mit einem Buchstaben oder einer Ziffer am Anfang.",
    roles: "Rollen",
    roleLabel: (number) => `Rolle ${number}`,
    domainLabel: (number) => `Domäne der Rolle ${number}`,
    addRole: "Rolle hinzufügen",
    removeRole: (number) => `Rolle ${number} entfernen`,
    identities: "Schlüssel und Zertifikate (freiwillig)",
    identitiesHelp:
      "Je Zeile: psk:NAME, rpk:FINGERABDRUCK, cert:CN:NAME oder cert:DNS:NAME. Wer sich über CoAPS so ausweist, hat diese Rollen.",
    createTitle: "Neues Konto",
    create: "Konto anlegen",
    editTitle: (name) => `Konto ${name}`,
    save: "Konto speichern",
    resetTitle: (name) => `Passwort von ${name} zurücksetzen?`,
    resetLoses: (sessions) =>
      `Das jetzige Passwort gilt nicht mehr; ${sessionsEndDe(sessions)}. API-Token bleiben.`,
    lockTitle: (name) => `${name} sperren?`,
    lockLoses: (sessions, tokens) =>
      `${capital(sessionsEndDe(sessions))}. ${tokens} API-Token des Kontos ${tokens === 1 ? "wird" : "werden"} abgelehnt, bis es entsperrt ist.`,
    removeTitle: (name) => `Konto ${name} löschen?`,
    removeLoses: (sessions, tokens) =>
      `${capital(sessionsEndDe(sessions))}, und ${tokens} API-Token ${tokens === 1 ? "geht" : "gehen"} verloren. Das lässt sich nicht rückgängig machen; was das Konto tat, bleibt im Prüfprotokoll.`,
  },
  secret: {
    password: "Passwort",
    token: "Token",
    passwordTitle: (name) => `Einmalpasswort von ${name}`,
    passwordUse:
      "Es wird nur jetzt gezeigt. Übergeben Sie es persönlich oder auf einem anderen sicheren Weg: Bei der ersten Anmeldung muss es ersetzt werden.",
    tokenTitle: (name) => `API-Token „${name}“`,
    tokenUse:
      "Es wird nur jetzt gezeigt: Legen Sie es dort ab, wo Ihr Programm es findet. Senden Sie es als „Authorization: Bearer TOKEN“.",
    done: "Ich habe es aufbewahrt",
  },
  token: {
    add: "Token ausstellen",
    none: "Es gibt kein API-Token.",
    columns: {
      name: "Token",
      account: "Konto",
      roles: "Rollen",
      expires: "Läuft ab",
      actions: "Aktionen",
    },
    expired: "abgelaufen",
    explain:
      "Programme verwenden Token statt eines Passworts. Ein Token erlaubt nie mehr als sein Konto und endet mit ihm.",
    revoke: "Widerrufen",
    revokeTitle: (name) => `Token „${name}“ widerrufen?`,
    suspended: "ausgesetzt",
    suspendedTokens: (count) =>
      `Eine Sicherung wurde wiederhergestellt. ${count === 1 ? "Ein API-Token wurde" : `${count} API-Token wurden`} ausgesetzt, weil seit der Sicherung Token widerrufen worden sein können. Bestätigen Sie die Token, die noch gelten, und widerrufen Sie die anderen.`,
    confirm: "Bestätigen",
    confirmTitle: (name) => `Token „${name}“ bestätigen?`,
    confirmMeans:
      "Programme können das Token wieder verwenden. Bestätigen Sie nur, wenn es nach der Sicherung nicht widerrufen wurde.",
    revokeLoses:
      "Programme, die es verwenden, werden ab jetzt abgelehnt. Es lässt sich nicht zurückholen.",
    makeTitle: "Neues API-Token",
    make: "Token ausstellen",
    name: "Wofür es ist",
    nameFault:
      "Beginnen Sie mit Buchstabe oder Ziffer; dann Buchstaben, Ziffern, Leerzeichen, Punkte, Binde- und Unterstriche, zusammen 63.",
    days: "Gültig für Tage",
    daysHelp: "1 bis 366",
    daysFault: "Geben Sie eine ganze Zahl von 1 bis 366 an.",
    rolesFault: "Geben Sie mindestens eine Rolle an, und keine über Ihre eigenen hinaus.",
  },
  session: {
    none: "Niemand ist angemeldet.",
    columns: {
      account: "Konto",
      client: "Wo",
      signedIn: "Angemeldet",
      seen: "Letzte Anfrage",
      expires: "Endet",
      actions: "Aktionen",
    },
    current: "diese Sitzung",
    end: "Beenden",
    endTitle: (account) => `Sitzung von ${account} beenden?`,
    endLoses:
      "Was in jenem Browser noch nicht gespeichert ist, geht verloren. Das Konto kann sich wieder anmelden.",
  },
  own: {
    present: "Jetziges Passwort",
    wanted: "Neues Passwort",
    again: "Neues Passwort noch einmal",
    help: "Mindestens 12 Zeichen; mehrere Wörter sind gut.",
    change: "Passwort ändern",
    explain: "Ihre anderen Sitzungen enden. API-Token bleiben.",
    done: "Das Passwort ist geändert. Ihre anderen Sitzungen sind beendet.",
    wrong: "Das jetzige Passwort ist falsch.",
  },
};

function sessionsEndDe(sessions: number): string {
  return sessions === 0
    ? "keine Sitzung ist offen"
    : sessions === 1
      ? "1 offene Sitzung endet"
      : `${sessions} offene Sitzungen enden`;
}

export const messages = { en, de };
