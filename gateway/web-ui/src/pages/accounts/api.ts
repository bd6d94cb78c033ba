import type { Api } from "../../gateway/api";
import type { Schemas } from "../../gateway/schemas";

export type Account = Schemas["Account"];
export type AccountSettings = Pick<Account, "roles" | "identities">;
/** A password that the gateway shows only once. */
export type OneTimePassword = Schemas["OneTimePassword"];
/** Its secret is only in the response that creates it. */
export type Token = Schemas["Token"];
export type OpenSession = Schemas["OpenSession"];

export async function listAccounts(api: Api): Promise<Account[]> {
  return ((await api.json("api/accounts")) as Schemas["Accounts"]).accounts;
}

/** An account with the entity tag of its current version. */
export async function readAccount(
  api: Api,
  name: string,
): Promise<{ account: Account; tag: string }> {
  const { json, tag } = await api.tagged(one(name));
  return { account: json as Account, tag };
}

export function createAccount(api: Api, account: Schemas["NewAccount"]): Promise<OneTimePassword> {
  return api.send("POST", "api/accounts", account) as Promise<OneTimePassword>;
}

/** @param tag of the version that the change is based on */
export async function changeAccount(
  api: Api,
  name: string,
  change: Schemas["AccountChange"],
  tag: string,
): Promise<void> {
  await api.send("PUT", one(name), change, tag);
}

export async function removeAccount(api: Api, name: string): Promise<void> {
  await api.send("DELETE", one(name));
}

export function resetPassword(api: Api, name: string): Promise<OneTimePassword> {
  return api.send("POST", `${one(name)}/password`) as Promise<OneTimePassword>;
}

export async function listTokens(api: Api): Promise<Token[]> {
  return ((await api.json("api/tokens")) as Schemas["Tokens"]).tokens;
}

/** Reactivates a token that the restoration of a backup suspended. */
export async function confirmToken(api: Api, id: string): Promise<void> {
  await api.send("POST", `api/tokens/${encodeURIComponent(id)}/confirm`);
}

export function makeToken(api: Api, token: Schemas["NewToken"]): Promise<Token> {
  return api.send("POST", "api/tokens", token) as Promise<Token>;
}

export async function revokeToken(api: Api, id: string): Promise<void> {
  await api.send("DELETE", `api/tokens/${encodeURIComponent(id)}`);
}

export async function listSessions(api: Api): Promise<OpenSession[]> {
  return ((await api.json("api/sessions")) as Schemas["Sessions"]).sessions;
}

export async function endSession(api: Api, id: string): Promise<void> {
  await api.send("DELETE", `api/sessions/${encodeURIComponent(id)}`);
}

function one(name: string): string {
  return `api/accounts/${encodeURIComponent(name)}`;
}
