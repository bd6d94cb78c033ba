// The examples of docs/protocol.md, which the mirror's own tests rebuild and the client in Python reads too.
import { readFileSync } from "node:fs";
import { decodeBase64url } from "../dist/gateway/web-ui/src/verify/base64url.js";
import { importCommander } from "../dist/gateway/web-ui/src/sign/commanderKeys.js";

const PROTOCOL = readFileSync(new URL("../../../docs/protocol.md", import.meta.url), "utf8");
const { subtle } = globalThis.crypto;

/** @param {string} name */
export function example(name) {
  const found = new RegExp(`<!-- example: ${name} -->\n\`\`\`\\w*\n(.*?)\n\`\`\``, "s").exec(
    PROTOCOL,
  );
  if (found === null) throw new Error(name);
  return found[1].replaceAll("\n", "");
}

/** @param {string} name */
export const key = (name) => JSON.parse(example(name));

/** @param {string} name */
export const hex = (name) => Uint8Array.from(Buffer.from(example(name), "hex"));

export const MOTE = key("key-mote");
export const OTHER = key("key-new");

/** A signed update; a member that is undefined is left out. */
export async function update(
  header = {},
  payload = [{ n: "temp", u: "Cel", v: 21.5 }],
  signer = MOTE,
) {
  const { commander } = await importCommander(JSON.stringify(signer), subtle);
  const { alg, kid } = commander;
  const members = { alg, cty: "application/senml+json", kid, res: "temp", seq: 2, ...header };
  const part = (json) => Buffer.from(JSON.stringify(json)).toString("base64url");
  const signed = `${part(members)}.${part(payload)}`;
  const algorithm = { name: "ECDSA", hash: "SHA-256" };
  const signature = await subtle.sign(algorithm, commander.key, new TextEncoder().encode(signed));
  return `${signed}.${Buffer.from(signature).toString("base64url")}`;
}

export { decodeBase64url };
