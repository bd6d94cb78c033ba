import type { Api } from "./api";
import { object, text } from "./json";

/** The ways to sign in besides name and password. */
export interface SignInWays {
  /** Name of the provider of OpenID Connect; empty: there is none. */
  provider: string;
  /** Whether passkeys work under the host name of the page. */
  passkeys: boolean;
}

/** @throws ApiProblem */
export async function readSignInWays(api: Pick<Api, "json">): Promise<SignInWays> {
  const ways = object(await api.json("api/sign-in"));
  return { provider: text(ways["provider"]), passkeys: ways["passkeys"] === true };
}

/**
 * Begins a sign-in through the provider.
 *
 * @returns the address to which the browser goes
 * @throws ApiProblem
 */
export async function beginProviderSignIn(api: Pick<Api, "send">): Promise<string> {
  const begun = object(await api.send("POST", "api/sign-in/provider"));
  return text(begun["location"]);
}
