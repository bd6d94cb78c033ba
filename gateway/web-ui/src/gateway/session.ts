import { ApiProblem, type Api } from "./api";
import type { Schemas } from "./schemas";

/** The account that is signed in. */
export interface Account extends Pick<Schemas["Session"], "roles" | "passwordChangeNeeded"> {
  name: string;
  /** Name of the provider that keeps the account; empty: the gateway keeps it. */
  provider: string;
}

export type Session =
  | { state: "unknown" }
  /** `ended`: somebody was signed in on this page before. */
  | { state: "signed-out"; ended: boolean }
  | { state: "signed-in"; account: Account };

/** The session of this browser. Views subscribe to it. */
export class SessionStore {
  private session: Session = { state: "unknown" };
  private readonly listeners = new Set<() => void>();

  /** @param changed called after signing in, and when the account's rights have changed */
  constructor(
    private readonly api: Pick<Api, "json" | "send">,
    private readonly changed: () => void,
  ) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly getSnapshot = (): Session => this.session;

  /** Asks the gateway which account is signed in; an unreachable gateway changes nothing. */
  async refresh(): Promise<void> {
    try {
      this.set({ state: "signed-in", account: readAccount(await this.api.json("api/session")) });
    } catch (problem) {
      if (problem instanceof ApiProblem && problem.status === 401) this.signedOut();
    }
  }

  /** @throws ApiProblem */
  async signIn(account: string, password: string): Promise<void> {
    this.begin(await this.api.send("POST", "api/session", { account, password }));
  }

  /**
   * Signs in with a passkey, alone or in addition to the password.
   *
   * @param password the account and its password, if the account requires a passkey too
   * @param answer has the browser answer the gateway's challenge
   * @throws ApiProblem
   * @throws PasskeyFault
   */
  async signInWithPasskey(
    password: { account: string; password: string } | undefined,
    answer: (options: unknown) => Promise<object>,
  ): Promise<void> {
    const options = await this.api.send("POST", "api/sign-in/passkey/options", password ?? {});
    this.begin(await this.api.send("POST", "api/sign-in/passkey", await answer(options)));
  }

  /** @throws ApiProblem */
  async changePassword(password: string, newPassword: string): Promise<void> {
    this.begin(await this.api.send("PUT", "api/session/password", { password, newPassword }));
  }

  /** @throws ApiProblem */
  async signOut(): Promise<void> {
    try {
      await this.api.send("DELETE", "api/session");
    } catch (problem) {
      // The session may have ended already.
      if (!(problem instanceof ApiProblem) || problem.status !== 401) throw problem;
    }
    this.set({ state: "signed-out", ended: false });
  }

  private begin(answer: unknown): void {
    const account = readAccount(answer);
    this.set({ state: "signed-in", account });
    if (!account.passwordChangeNeeded) this.changed();
  }

  private signedOut(): void {
    const before = this.session;
    if (before.state === "signed-out") return;
    this.set({ state: "signed-out", ended: before.state === "signed-in" });
  }

  private set(session: Session): void {
    this.session = session;
    for (const listener of this.listeners) listener();
  }
}

function readAccount(answer: unknown): Account {
  const { account, provider = "", ...rest } = answer as Schemas["Session"];
  return { ...rest, name: account, provider };
}
