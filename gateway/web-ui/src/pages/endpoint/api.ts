import { ApiProblem, type Api } from "../../gateway/api";
import { readCommand, type Command, type Endpoint } from "../../gateway/model";
import type { Schemas } from "../../gateway/schemas";
import { signCommand, type CommanderKey, type CommandText } from "../../sign/command";
import { resourcePath } from "./historyApi";

const CONFLICT = 409;

/** Forgets an endpoint with its values, keys and commands. */
export async function forgetEndpoint(api: Api, id: string): Promise<void> {
  await api.send("DELETE", `api/endpoints/${encodeURIComponent(id)}`);
}

/** The decisions about an endpoint's name, the oldest first. @throws ApiProblem */
export async function trailOf(api: Api, { ep, d }: Pick<Endpoint, "ep" | "d">): Promise<unknown> {
  const asked = new URLSearchParams({ ep, d: d === "" ? "-" : d, after: "0", limit: "1000" });
  return api.json(`api/audit?${asked}`);
}

/**
 * A token that may read for one day.
 *
 * @param role of the token, for instance viewer:plant
 * @throws ApiProblem
 */
export async function makeReadingToken(api: Api, role: string): Promise<string> {
  const wanted: Schemas["NewToken"] = { name: "reading commands", roles: [role], days: 1 };
  const { token = "" } = (await api.send("POST", "api/tokens", wanted)) as Schemas["Token"];
  return token;
}

/**
 * Signs a command with the next free number and queues it.
 *
 * @throws ApiProblem
 */
export async function sendCommand(
  api: Api,
  id: string,
  command: Omit<CommandText, "seq">,
  commander: CommanderKey,
  subtle: SubtleCrypto,
): Promise<Command> {
  const path = commandsPath(id, command.res);
  for (let attempt = 0; ; attempt++) {
    const { last } = (await api.json(path)) as Schemas["Commands"];
    const jws = await signCommand({ ...command, seq: last + 1 }, commander, subtle);
    try {
      return readCommand(await api.sendText(path, "application/jose", jws));
    } catch (problem) {
      // Somebody else has used the number.
      const taken = problem instanceof ApiProblem && problem.status === CONFLICT;
      if (!taken || attempt > 0) throw problem;
    }
  }
}

/** The mote no longer receives the command. */
export async function cancelCommand(api: Api, id: string, { path, seq }: Command): Promise<void> {
  await api.send("DELETE", `${commandsPath(id, path)}/${seq}`);
}

/** The archive of all values of an endpoint. */
export function exportPath(id: string, format: "jsonl" | "csv"): string {
  return `api/endpoints/${encodeURIComponent(id)}/export?format=${format}`;
}

function commandsPath(id: string, path: string): string {
  return `${resourcePath(id, path)}/commands`;
}
