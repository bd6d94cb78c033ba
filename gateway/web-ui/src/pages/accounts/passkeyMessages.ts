const en = {
  tab: "My passkeys",
  explain:
    "A passkey is a key in a phone, a computer or a security key, unlocked by PIN, fingerprint or face. You sign in with it instead of the password, or in addition to it. It cannot be guessed or typed into a wrong page.",
  notHere: (host: string) =>
    `Passkeys cannot be added or used on this page. Browsers require http://localhost, or HTTPS with a trusted certificate and a host name instead of an address such as ${host}.`,
  none: "You have no passkey yet.",
  noneOf: (account: string) => `${account} has no passkey.`,
  columns: {
    name: "Passkey",
    host: "Works under",
    made: "Created",
    used: "Last used",
    actions: "Actions",
  },
  neverUsed: "never",
  synchronised: "also on your other devices",
  copied: (moment: string) =>
    `Refused on ${moment}: its counter went backwards, which suggests a copy. Remove it and add another one.`,
  add: "Add a passkey",
  addTitle: "Add a passkey",
  addWhat: "Next, your browser asks which authenticator should store it.",
  name: "Name",
  nameHelp: "A name you will recognise, such as the device.",
  nameFault:
    "Start with a letter or digit, followed by letters, digits, spaces and . _ ( ) ' -; at most 63 characters.",
  password: "Current password",
  passwordHelp: "This prevents others from adding a passkey in your session.",
  passwordWrong: "The current password is wrong.",
  added: (name: string) => `The passkey “${name}” is added.`,
  rename: "Rename",
  renameTitle: (name: string) => `Rename “${name}”`,
  save: "Save",
  remove: "Remove",
  removeTitle: (name: string) => `Remove the passkey “${name}”?`,
  removeLoses: (left: number) =>
    `You can no longer sign in with it. This cannot be undone, but you can add it again. ${
      left === 0
        ? "It is your last one: afterwards you can sign in only with your password."
        : left === 1
          ? "1 other passkey stays."
          : `${left} other passkeys stay.`
    } Also delete it from the authenticator, which otherwise keeps offering it.`,
  lastDemanded:
    "Your account requires a passkey at each sign-in, and this is its last one. Add another one, or allow the password alone again.",
  enough: "You can sign in with your password alone or with a passkey.",
  both: "Your password alone is not enough: each sign-in with it also requires a passkey. You can also sign in with a passkey alone.",
  byAdministrator: "An administrator requires this; only an administrator can change it.",
  ask: "Require both",
  askTitle: "Require a passkey in addition to the password?",
  askWhat: (count: number, host: string) =>
    `From the next sign-in on, your password alone is refused. Without ${count === 1 ? "your one passkey" : `any of your ${count} passkeys`} you cannot sign in until an administrator helps; a second passkey on another device is wise. They work only under ${host}. API tokens and open sessions stay valid.`,
  needOne: "To require both, first add a passkey.",
  askNoMore: "Allow password alone",
  askNoMoreTitle: "Allow sign-in with the password alone again?",
  askNoMoreWhat:
    "Somebody who learns your password can then sign in without your passkey. Your passkeys stay.",
  // Texts for administrators about the passkeys of other accounts.
  of: "Passkeys",
  ofTitle: (account: string) => `Passkeys of ${account}`,
  needed: "needs a passkey",
  removeOfLoses: (account: string, left: number) =>
    `${account} can no longer sign in with it. This cannot be undone. ${
      left === 0
        ? `It is the last one: ${account} can then sign in with the password alone. Reset the password if others may know it.`
        : left === 1
          ? "1 other passkey stays."
          : `${left} other passkeys stay.`
    }`,
  lastDemandedOf: (account: string) =>
    `${account} needs a passkey to sign in, and this is its last one. Remove the requirement first.`,
  demandedOf: (account: string) => `${account} needs a passkey: the password alone is refused.`,
  notDemandedOf: (account: string) =>
    `${account} can sign in with the password alone or with a passkey.`,
  demand: "Require a passkey",
  withdraw: "Remove the requirement",
  close: "Close",
  cancel: "Cancel",
};

const de: typeof en = {
  tab: "Meine Passkeys",
  explain:
    "Ein Passkey ist ein Schlüssel in Telefon, Rechner oder Sicherheitsschlüssel, entsperrt durch PIN, Finger oder Gesicht. Er meldet ohne das Passwort an oder zusätzlich dazu und lässt sich weder erraten noch in eine falsche Seite tippen.",
  notHere: (host) =>
    `Auf dieser Seite gehen keine Passkeys: Browser wollen eine Seite über HTTPS mit einem Zertifikat, dem sie vertrauen, unter einem Namen und nicht unter einer Adresse wie ${host}, oder http://localhost.`,
  none: "Sie haben noch keinen Passkey.",
  noneOf: (account) => `${account} hat keinen Passkey.`,
  columns: {
    name: "Passkey",
    host: "Gilt unter",
    made: "Angelegt",
    used: "Zuletzt benutzt",
    actions: "Aktionen",
  },
  neverUsed: "nie",
  synchronised: "auch auf Ihren anderen Geräten",
  copied: (moment) =>
    `Abgelehnt am ${moment}: Sein Zähler ging zurück, wie bei einer Kopie. Entfernen Sie ihn und fügen Sie einen anderen hinzu.`,
  add: "Passkey hinzufügen",
  addTitle: "Passkey hinzufügen",
  addWhat: "Ihr Browser fragt danach, welches Gerät ihn aufbewahren soll.",
  name: "Name",
  nameHelp: "Ein Name, den Sie wiedererkennen, zum Beispiel das Gerät.",
  nameFault:
    "Beginnen Sie mit Buchstabe oder Ziffer; dann Buchstaben, Ziffern, Leerzeichen und . _ ( ) ' -, zusammen 63.",
  password: "Jetziges Passwort",
  passwordHelp: "Damit niemand sonst in Ihrer Sitzung einen Passkey hinzufügt.",
  passwordWrong: "Das jetzige Passwort ist falsch.",
  added: (name) => `Der Passkey „${name}“ ist hinzugefügt.`,
  rename: "Umbenennen",
  renameTitle: (name) => `„${name}“ umbenennen`,
  save: "Speichern",
  remove: "Entfernen",
  removeTitle: (name) => `Den Passkey „${name}“ entfernen?`,
  removeLoses: (left) =>
    `Er meldet nicht mehr an, und das lässt sich nicht rückgängig machen; Sie könnten ihn neu hinzufügen. ${
      left === 0
        ? "Es ist Ihr letzter: Danach meldet nur noch Ihr Passwort an."
        : left === 1
          ? "1 anderer Passkey bleibt."
          : `${left} andere Passkeys bleiben.`
    } Löschen Sie ihn auch auf dem Gerät, das ihn sonst weiter anbietet.`,
  lastDemanded:
    "Ihr Konto verlangt bei jeder Anmeldung einen Passkey, und dies ist sein letzter. Fügen Sie einen anderen hinzu oder lassen Sie das Passwort wieder genügen.",
  enough: "Ihr Passwort allein meldet an, ein Passkey ebenso.",
  both: "Ihr Passwort allein genügt nicht: Jede Anmeldung damit verlangt zusätzlich einen Passkey. Ein Passkey allein meldet auch an.",
  byAdministrator: "Die Verwaltung verlangt es; nur sie kann es ändern.",
  ask: "Beides verlangen",
  askTitle: "Zum Passwort einen Passkey verlangen?",
  askWhat: (count, host) =>
    `Ab der nächsten Anmeldung wird Ihr Passwort allein abgelehnt. Ohne ${count === 1 ? "Ihren einen Passkey" : `einen Ihrer ${count} Passkeys`} melden Sie sich nicht mehr an, bis die Verwaltung hilft; ein zweiter Passkey auf einem anderen Gerät ist klug. Sie gelten nur unter ${host}. API-Token und offene Sitzungen bleiben.`,
  needOne: "Fügen Sie erst einen Passkey hinzu, um beides zu verlangen.",
  askNoMore: "Passwort allein genügt",
  askNoMoreTitle: "Das Passwort allein wieder genügen lassen?",
  askNoMoreWhat:
    "Wer Ihr Passwort erfährt, kann sich dann ohne Ihren Passkey anmelden. Ihre Passkeys bleiben.",
  of: "Passkeys",
  ofTitle: (account) => `Passkeys von ${account}`,
  needed: "braucht einen Passkey",
  removeOfLoses: (account, left) =>
    `${account} meldet sich damit nicht mehr an, und das lässt sich nicht rückgängig machen. ${
      left === 0
        ? `Es ist der letzte: ${account} meldet sich dann mit dem Passwort allein an. Setzen Sie das Passwort zurück, falls andere es kennen könnten.`
        : left === 1
          ? "1 anderer Passkey bleibt."
          : `${left} andere Passkeys bleiben.`
    }`,
  lastDemandedOf: (account) =>
    `${account} braucht zum Anmelden einen Passkey, und dies ist der letzte. Nehmen Sie erst die Forderung zurück.`,
  demandedOf: (account) => `${account} braucht einen Passkey: Das Passwort allein wird abgelehnt.`,
  notDemandedOf: (account) =>
    `${account} meldet sich mit dem Passwort allein oder einem Passkey an.`,
  demand: "Passkey verlangen",
  withdraw: "Forderung zurücknehmen",
  close: "Schließen",
  cancel: "Abbrechen",
};

export const passkeyMessages = { en, de };
