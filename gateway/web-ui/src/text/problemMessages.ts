/** The texts for each kind of problem of the API: what happened, and what to do. */
const en = {
  "invalid-request": "The gateway cannot process this request. Check your input.",
  "invalid-parameter":
    "A filter or an option has a value that the gateway does not accept. Change it, then try again.",
  "invalid-body":
    "A field has a value that the gateway does not accept. Correct it, then try again.",
  "invalid-cursor":
    "The list has changed too much to continue from here. Load it from the beginning.",
  "value-not-accepted": "The resource does not take this value. Change it as stated below.",
  unauthorized: "Your session has ended. Sign in again, then repeat the last step.",
  "wrong-password": "The name or the password is wrong. Check both, then try again.",
  "wrong-passkey":
    "This passkey is not accepted, or it took too long. Try again, or sign in another way.",
  "passkey-needed":
    "The password is correct, but the account also requires a passkey. Use the passkey.",
  "password-change-needed": "The password is a one-time password. Replace it with your own first.",
  "invalid-credentials": "Your session has ended or is not valid here. Sign in again.",
  "bad-signature":
    "The signature of the command is wrong. Sign it again with a commander’s key of the domain.",
  "unknown-key":
    "This is signed by another key than the endpoint’s. Compare the keys on the page Trust.",
  forbidden: "Your account is not allowed to do this. Ask an administrator for the role.",
  "other-site":
    "The gateway rejected the request because it seemed to come from another site. Open this page at the gateway’s own address and reload it.",
  "unknown-commander":
    "The domain does not accept commands signed by this key. Ask an administrator to enrol the key on the page Domains.",
  "not-trusted":
    "The key of the endpoint is not trusted. Compare and approve it on the page Trust first.",
  "not-found": "This does not exist, or no longer exists. Reload the page.",
  "no-radio": "This gateway has no radio. An administrator can store one on the page Network.",
  "method-not-allowed":
    "The gateway does not support this action. Reload the page: its version may differ from the gateway’s.",
  "not-acceptable":
    "The gateway cannot answer in the requested format. Reload the page: its version may differ from the gateway’s.",
  conflict:
    "The current state does not allow this. Resolve the reason given below, then try again.",
  "in-settings-file":
    "The settings file sets this and takes precedence. Change it there, then restart the gateway.",
  "limit-reached": "The limit is reached. First remove an entry that is no longer used.",
  "still-used": "Something still depends on it. Remove or change that first.",
  "not-waiting":
    "The key no longer waits for a decision. Reload the page: somebody else may have decided.",
  "several-names": "The key waits under several names. Choose the name that you mean.",
  "number-used":
    "The command number was already used. Send the command again with the next number.",
  "outside-window":
    "The command number is too far from the last one. Send the command again with the next number.",
  "changed-meanwhile":
    "Somebody else changed it in the meantime. Reload it, review the change, then repeat yours.",
  "too-large": "The request is larger than the gateway accepts. Send less at once.",
  "unsupported-type": "The gateway does not accept this format. Use a format that the form lists.",
  "too-many-requests": "Too many requests. Wait a minute, then try again.",
  "internal-error":
    "The gateway had an internal error. Try again; if the error persists, an administrator finds the cause in the log.",
  "not-implemented":
    "This gateway does not support that. A later version may: check which version is running.",
  "bad-gateway": "Another system or a mote returned no usable answer. Check it, then try again.",
  overloaded: "The gateway is busy. Try again in a few seconds.",
  "not-stored":
    "Nothing was changed because the gateway cannot store the change: its disk is full or failing, or its cluster does not answer. Check the alarms.",
  "stale-value": "The mote has not sent a new value in time. Wait until it wakes, then try again.",
  stopping: "The gateway is stopping. Wait until it runs again, then try again.",
  "no-answer":
    "The mote did not answer in time. It may be asleep or out of range: try again later.",
};

export type ProblemType = keyof typeof en;

const de: Record<ProblemType, string> = {
  "invalid-request":
    "Das Gateway kann die Anfrage so nicht ausführen. Prüfen Sie, was Sie angegeben haben.",
  "invalid-parameter":
    "Ein Filter oder eine Option hat einen Wert, den das Gateway nicht annimmt. Ändern Sie ihn und fragen Sie noch einmal.",
  "invalid-body":
    "Ein Feld hat einen Wert, den das Gateway nicht annimmt. Berichtigen Sie ihn und versuchen Sie es dann wieder.",
  "invalid-cursor":
    "Die Liste hat sich zu sehr geändert, um hier weiterzulesen. Laden Sie sie von vorn.",
  "value-not-accepted":
    "Die Ressource nimmt diesen Wert nicht. Ändern Sie ihn wie unten angegeben.",
  unauthorized:
    "Ihre Sitzung ist zu Ende. Melden Sie sich wieder an und wiederholen Sie den letzten Schritt.",
  "wrong-password":
    "Name oder Passwort ist falsch. Prüfen Sie beides und versuchen Sie es dann wieder.",
  "wrong-passkey":
    "Dieser Passkey wird nicht angenommen, oder es hat zu lange gedauert. Versuchen Sie es noch einmal oder melden Sie sich anders an.",
  "passkey-needed":
    "Das Passwort stimmt, aber das Konto verlangt dazu einen Passkey. Benutzen Sie ihn.",
  "password-change-needed":
    "Das Passwort ist ein Einmalpasswort. Ersetzen Sie es zuerst durch Ihr eigenes.",
  "invalid-credentials":
    "Ihre Sitzung ist zu Ende oder gilt hier nicht. Melden Sie sich wieder an.",
  "bad-signature":
    "Die Signatur des Befehls ist falsch. Signieren Sie ihn neu, mit einem Befehlsschlüssel der Domäne.",
  "unknown-key":
    "Dies ist mit einem anderen Schlüssel signiert als dem des Endpunkts. Vergleichen Sie die Schlüssel auf der Seite Vertrauen.",
  forbidden:
    "Ihr Konto darf das nicht. Bitten Sie eine Administratorin oder einen Administrator um das Recht.",
  "other-site":
    "Das Gateway hielt die Anfrage für die einer fremden Seite. Öffnen Sie diese Seite unter der eigenen Adresse des Gateways und laden Sie sie neu.",
  "unknown-commander":
    "Die Domäne nimmt keine Befehle dieses Schlüssels an. Bitten Sie die Verwaltung, ihn auf der Seite Domänen einzutragen.",
  "not-trusted":
    "Dem Schlüssel des Endpunkts wird nicht vertraut. Vergleichen Sie ihn erst auf der Seite Vertrauen und geben Sie ihn frei.",
  "not-found": "Das gibt es nicht mehr, oder es war nie da. Laden Sie die Seite neu.",
  "no-radio":
    "Dieses Gateway hat keinen Funk. Die Verwaltung kann auf der Seite Netz ein Funkmodul speichern.",
  "method-not-allowed":
    "Das geht dort nicht. Laden Sie die Seite neu: Vielleicht ist sie von einer anderen Version als das Gateway.",
  "not-acceptable":
    "Das Gateway hat das in keiner der gewünschten Formen. Laden Sie die Seite neu: Vielleicht ist sie von einer anderen Version.",
  conflict:
    "Der jetzige Zustand lässt das nicht zu. Ändern Sie, was der Grund darunter nennt, und versuchen Sie es dann wieder.",
  "in-settings-file":
    "Die Einstellungsdatei nennt es und hat Vorrang. Ändern Sie es dort und starten Sie das Gateway neu.",
  "limit-reached":
    "Es gibt schon so viele, wie es geben darf. Entfernen Sie erst, was nicht mehr gebraucht wird.",
  "still-used": "Etwas hängt noch davon ab. Entfernen oder ändern Sie erst das.",
  "not-waiting":
    "Der Schlüssel wartet nicht mehr auf eine Entscheidung. Laden Sie die Seite neu: Vielleicht hat jemand entschieden.",
  "several-names":
    "Der Schlüssel wartet unter mehreren Namen. Entscheiden Sie über den Namen, den Sie meinen.",
  "number-used":
    "Die Nummer des Befehls wurde schon benutzt. Senden Sie ihn noch einmal, mit der nächsten Nummer.",
  "outside-window":
    "Die Nummer des Befehls ist zu weit von der letzten entfernt. Senden Sie ihn noch einmal, mit der nächsten Nummer.",
  "changed-meanwhile":
    "Jemand anderes hat es inzwischen geändert. Laden Sie es neu, sehen Sie die Änderung an und wiederholen Sie dann Ihre.",
  "too-large": "Das ist größer, als das Gateway annimmt. Senden Sie weniger auf einmal.",
  "unsupported-type":
    "Dieses Format nimmt das Gateway nicht an. Nehmen Sie eines, das im Formular genannt ist.",
  "too-many-requests":
    "Zu viele Anfragen. Warten Sie eine Minute und versuchen Sie es dann wieder.",
  "internal-error":
    "Das Gateway hat einen Fehler gemacht. Versuchen Sie es noch einmal; bleibt es dabei, steht die Ursache in seinem Protokoll.",
  "not-implemented":
    "Das kann dieses Gateway nicht. Eine spätere Version vielleicht: Sehen Sie nach, welche läuft.",
  "bad-gateway":
    "Ein anderes System oder ein Sensor gab keine brauchbare Antwort. Prüfen Sie es und versuchen Sie es dann wieder.",
  overloaded: "Das Gateway ist beschäftigt. Versuchen Sie es in ein paar Sekunden wieder.",
  "not-stored":
    "Nichts wurde geändert, weil das Gateway die Änderung nicht speichern kann: Seine Platte ist voll oder gestört, oder sein Cluster antwortet nicht. Sehen Sie die Alarme an.",
  "stale-value":
    "Der Sensor hat nicht rechtzeitig einen neuen Wert gesendet. Warten Sie, bis er aufwacht.",
  stopping: "Das Gateway fährt herunter. Warten Sie, bis es wieder läuft.",
  "no-answer":
    "Der Sensor hat nicht rechtzeitig geantwortet. Vielleicht schläft er oder ist außer Reichweite: Versuchen Sie es später.",
};

export const problemMessages = { en, de };

/** Kinds whose sentence says all: the gateway's own words would only repeat it. */
export const SELF_EXPLAINING: ReadonlySet<string> = new Set<ProblemType>([
  "unauthorized",
  "wrong-password",
  "wrong-passkey",
  "invalid-credentials",
  "changed-meanwhile",
  "too-many-requests",
  "overloaded",
  "stale-value",
  "stopping",
]);
