import type { PublicKey } from "../verify/jwk";
import type { Api } from "./api";
import type { Schemas } from "./schemas";

/** A key that may sign commands in a domain; one from the settings file must be removed there. */
export type Commander = Schemas["Commander"];

export async function listCommanders(api: Api, domain: string): Promise<Commander[]> {
  const answer = (await api.json(pathOf(domain))) as Schemas["Commanders"];
  return answer.commanders;
}

/** Enrols a key that may sign commands in a domain; "-" is the domain without a name. */
export async function enrolCommander(
  api: Api,
  domain: string,
  thumbprint: string,
  jwk: PublicKey,
  name: string,
): Promise<void> {
  await api.send("PUT", `${pathOf(domain)}/${thumbprint}`, { jwk, name });
}

export async function removeCommander(api: Api, domain: string, thumbprint: string): Promise<void> {
  await api.send("DELETE", `${pathOf(domain)}/${thumbprint}`);
}

function pathOf(domain: string): string {
  return `api/domains/${encodeURIComponent(domain)}/commanders`;
}
