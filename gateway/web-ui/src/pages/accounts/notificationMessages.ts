const en = {
  tab: "Notifications",
  explain:
    "This browser can show the alarms that your account may see as notifications, also while no page of the gateway is open.",
  unsupported:
    "This browser cannot show notifications here. It needs web push, and http://localhost or HTTPS with a trusted certificate. On an iPhone or iPad, add the page to the home screen first.",
  unavailable:
    "Notifications are not switched on. An administrator sets vigil.web-push.contact in the settings.",
  blocked:
    "You have blocked notifications from this page. Allow them in the settings of the browser, then load the page again.",
  off: "This browser shows no notifications.",
  on: "This browser shows notifications.",
  switchOn: "Switch on",
  switchOff: "Switch off",
  test: "Send a test",
  testAccepted: "The push service accepted the test.",
  testRefused: "The push service did not accept the test.",
};

const de: typeof en = {
  tab: "Benachrichtigungen",
  explain:
    "Dieser Browser kann Alarme, die Ihr Konto sehen darf, als Benachrichtigungen zeigen, auch wenn keine Seite des Gateways offen ist.",
  unsupported:
    "Dieser Browser kann hier keine Benachrichtigungen zeigen. Er braucht Web-Push und http://localhost oder HTTPS mit einem Zertifikat, dem er vertraut. Auf iPhone und iPad legen Sie die Seite zuerst auf den Home-Bildschirm.",
  unavailable:
    "Benachrichtigungen sind nicht eingeschaltet. Ein Administrator setzt vigil.web-push.contact in den Einstellungen.",
  blocked:
    "Sie haben Benachrichtigungen dieser Seite verboten. Erlauben Sie sie in den Einstellungen des Browsers und laden Sie die Seite neu.",
  off: "Dieser Browser zeigt keine Benachrichtigungen.",
  on: "Dieser Browser zeigt Benachrichtigungen.",
  switchOn: "Einschalten",
  switchOff: "Ausschalten",
  test: "Test senden",
  testAccepted: "Der Push-Dienst hat den Test angenommen.",
  testRefused: "Der Push-Dienst hat den Test nicht angenommen.",
};

export const notificationMessages = { en, de };
