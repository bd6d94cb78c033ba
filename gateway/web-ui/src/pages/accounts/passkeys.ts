import type { Api } from "../../gateway/api";
import type { Schemas } from "../../gateway/schemas";
import { makePasskey } from "../../gateway/passkeys";
import { browserOf } from "./grants";

export type Passkey = Schemas["Passkey"];
export type OwnPasskeys = Schemas["OwnPasskeys"];

const OWN = "api/account/passkeys";

export function listOwnPasskeys(api: Api): Promise<OwnPasskeys> {
  return api.json(OWN) as Promise<OwnPasskeys>;
}

/**
 * Has the browser create a passkey and adds it to the user's own account.
 *
 * @throws ApiProblem
 * @throws PasskeyFault
 */
export async function addPasskey(api: Api, name: string, password: string): Promise<void> {
  const options = await api.send("POST", `${OWN}/options`, { password });
  await api.send("POST", OWN, { name, ...(await makePasskey(options, navigator.credentials)) });
}

export async function renamePasskey(api: Api, id: string, name: string): Promise<void> {
  await api.send("PUT", `${OWN}/${encodeURIComponent(id)}`, { name });
}

export async function removeOwnPasskey(api: Api, id: string): Promise<void> {
  await api.send("DELETE", `${OWN}/${encodeURIComponent(id)}`);
}

/** Requires a passkey in addition to the password at each sign-in, or no longer. */
export async function demandPasskey(api: Api, required: boolean): Promise<void> {
  await api.send("PUT", OWN, { required });
}

export async function listPasskeysOf(api: Api, account: string): Promise<Passkey[]> {
  return ((await api.json(of(account))) as Schemas["Passkeys"]).passkeys;
}

export async function removePasskeyOf(api: Api, account: string, id: string): Promise<void> {
  await api.send("DELETE", `${of(account)}/${encodeURIComponent(id)}`);
}

function of(account: string): string {
  return `api/accounts/${encodeURIComponent(account)}/passkeys`;
}

const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._ ()'-]{0,62}$/u;

export function isPasskeyName(name: string): boolean {
  return NAME.test(name);
}

/** A default name for a passkey that this browser creates; empty for an unknown browser. */
export function suggestedName(userAgent: string): string {
  const [browser = "", system] = browserOf(userAgent).split(", ");
  const name = system === undefined ? browser : `${browser} (${system})`;
  return isPasskeyName(name) ? name : "";
}
