/** Texts about signing in with a passkey. */
export const passkeyMessages = {
  en: {
    with: "Sign in with a passkey",
    second: "Passkey required",
    secondWhy: (account: string) =>
      `The password is correct. ${account} also requires a passkey: have your authenticator ready.`,
    use: "Use the passkey",
    back: "Back",
    notHere:
      "The password is correct, but the account also requires a passkey, and passkeys do not work at this address. Open the gateway by its name over HTTPS, or as localhost.",
  },
  de: {
    with: "Mit einem Passkey anmelden",
    second: "Dazu ein Passkey",
    secondWhy: (account: string) =>
      `Das Passwort stimmt. ${account} verlangt dazu einen Passkey: Halten Sie Ihr Gerät dafür bereit.`,
    use: "Passkey benutzen",
    back: "Zurück",
    notHere:
      "Das Passwort stimmt, aber das Konto verlangt dazu einen Passkey, und unter dieser Adresse gehen Passkeys nicht. Öffnen Sie das Gateway unter seinem Namen über HTTPS oder als localhost.",
  },
};
