import type { Api } from "../../gateway/api";

export interface Account {
  name: string;
  /** For instance "viewer", or "viewer:plant" in one domain. */
  roles: string[];
  /** Labels of shared keys, raw keys and certificates that have these roles over CoAPS. */
  identities: string[];
  enabled: boolean;
  passwordChangeNeeded: boolean;
  /** Whether its password alone does not sign in. */
  passkeyRequired: boolean;
  createdAt: string;
}

export interface AccountSettings {
  roles: string[];
  identities: string[];
}

/** A password that the gateway shows this once. */
export interface OneTimePassword {
  name: string;
  oneTimePassword: string;
}

export interface Token {
  id: string;
  account: string;
  name: string;
  roles: string[];
  createdAt: string;
  expiresAt: string;
  /** The secret, in the answer that made the token alone. */
  token?: string;
}

export interface OpenSession {
  id: string;
  account: string;
  signedInAt: string;
  seenAt: string;
  expiresAt: string;
  source: string;
  /** The name that the browser gives itself. */
  client: string;
  current: boolean;
}

export async function listAccounts(api: Api): Promise<Account[]> {
  return ((await api.json("api/accounts")) as { accounts: Account[] }).accounts;
}

/** An account with the entity tag of its present version. */
export async function readAccount(
  api: Api,
  name: string,
): Promise<{ account: Account; tag: string }> {
  const { json, tag } = await api.tagged(one(name));
  return { account: json as Account, tag };
}

export function createAccount(
  api: Api,
  account: { name: string } & AccountSettings,
): Promise<OneTimePassword> {
  return api.send("POST", "api/accounts", account) as Promise<OneTimePassword>;
}

/** @param tag of the version that the change is based on */
export async function changeAccount(
  api: Api,
  name: string,
  change: Partial<AccountSettings> & { enabled?: boolean; passkeyRequired?: boolean },
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
  return ((await api.json("api/tokens")) as { tokens: Token[] }).tokens;
}

export function makeToken(
  api: Api,
  token: { name: string; roles: string[]; days: number },
): Promise<Token> {
  return api.send("POST", "api/tokens", token) as Promise<Token>;
}

export async function revokeToken(api: Api, id: string): Promise<void> {
  await api.send("DELETE", `api/tokens/${encodeURIComponent(id)}`);
}

export async function listSessions(api: Api): Promise<OpenSession[]> {
  return ((await api.json("api/sessions")) as { sessions: OpenSession[] }).sessions;
}

export async function endSession(api: Api, id: string): Promise<void> {
  await api.send("DELETE", `api/sessions/${encodeURIComponent(id)}`);
}

function one(name: string): string {
  return `api/accounts/${encodeURIComponent(name)}`;
}
