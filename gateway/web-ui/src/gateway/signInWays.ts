import type { Api } from "./api";
import type { Schemas } from "./schemas";

/** The ways to sign in other than with name and password. */
export type SignInWays = Required<Schemas["SignInWays"]>;

/**
 * @returns an empty name if there is no OpenID Connect provider
 * @throws ApiProblem
 */
export async function readSignInWays(api: Pick<Api, "json">): Promise<SignInWays> {
  return { provider: "", ...((await api.json("api/sign-in")) as Schemas["SignInWays"]) };
}

/**
 * Begins a sign-in through the provider.
 *
 * @returns the address to which the browser goes
 * @throws ApiProblem
 */
export async function beginProviderSignIn(api: Pick<Api, "send">): Promise<string> {
  return ((await api.send("POST", "api/sign-in/provider")) as Schemas["ProviderSignIn"]).location;
}
