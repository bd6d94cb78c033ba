type Failures = Readonly<Record<string, (provider: string) => string>>;

/** Texts about signing in through a provider. The keys of failures are the gateway's. */
export const providerMessages = {
  en: {
    through: (provider: string) => `Sign in through ${provider}`,
    failures: {
      "not-begun": () =>
        "The sign-in took too long, or started in another browser. Start again here.",
      refused: (provider) => `${provider} did not sign you in. Try again, or use a password.`,
      invalid: (provider) =>
        `The answer from ${provider} does not prove who you are. Try again; if this persists, an administrator finds the reason in the gateway’s log.`,
      "no-role": (provider) =>
        `${provider} knows you, but you have no role here. Ask an administrator for one.`,
      unavailable: (provider) =>
        `${provider} does not answer. Sign in with a password, or try again later.`,
      "too-many": () => "Too many sign-ins from this address have failed. Wait a minute.",
    } as Failures,
  },
  de: {
    through: (provider: string) => `Über ${provider} anmelden`,
    failures: {
      "not-begun": () =>
        "Die Anmeldung hat zu lange gedauert oder begann in einem anderen Browser. Beginnen Sie hier noch einmal.",
      refused: (provider) =>
        `${provider} hat Sie nicht angemeldet. Versuchen Sie es noch einmal oder nehmen Sie ein Passwort.`,
      invalid: (provider) =>
        `Die Antwort von ${provider} belegt nicht, wer Sie sind. Versuchen Sie es noch einmal; bleibt es dabei, steht der Grund im Protokoll des Gateways.`,
      "no-role": (provider) =>
        `${provider} kennt Sie, aber Sie haben hier keine Rolle. Bitten Sie eine Administratorin oder einen Administrator darum.`,
      unavailable: (provider) =>
        `${provider} antwortet nicht. Melden Sie sich mit einem Passwort an oder versuchen Sie es später.`,
      "too-many": () =>
        "Zu viele Anmeldungen von dieser Adresse sind gescheitert. Warten Sie eine Minute.",
    } as Failures,
  },
};
