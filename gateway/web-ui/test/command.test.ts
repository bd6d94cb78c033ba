import { describe, expect, test } from "vitest";
import { signCommand, valueOf } from "../src/sign/command";
import { importCommander, makeCommander } from "../src/sign/commanderKeys";
import { decodeBase64url } from "../src/verify/base64url";
import { KeyError, readKey, signatureIsRight } from "../src/verify/jwk";

const subtle = crypto.subtle;

/** The key-commander of docs/protocol.md section 8. */
const COMMANDER = {
  crv: "P-256",
  kty: "EC",
  x: "yRHljw93qwSL81Q7kc_1ZsuaqIUDhqZ1GcdkzT1hVYE",
  y: "GsMWMqzxI0TtSluyRrknov7T3KVLaCnvzApMaB7jdoM",
  d: "BFa9_nNe7K43hrC84j8uZOcVMImPtanwY_GZQx42L7U",
};

const COMMAND = { ep: "mote-1", d: "", res: "led", seq: 1, exp: 1795179600, value: 1 };

describe("a command signed in the browser", () => {
  test("has the header and payload of the example in docs/protocol.md section 8", async () => {
    const { commander } = await importCommander(JSON.stringify(COMMANDER), subtle);
    const jws = await signCommand(COMMAND, commander, subtle);
    const [header, payload, signature = ""] = jws.split(".");
    expect(header).toBe(
      "eyJhbGciOiJFUzI1NiIsInR5cCI6InZpZ2lsLWNtZCIsImN0eSI6ImFwcGxpY2F0aW9uL3Nlbm1sK2pzb24iLCJraWQiOiJXYXExRjRrX1lMTnV2QkNDTERqczZ6RXR5RjcxQWhuemdjT25wbGhXdWZNIiwiZXAiOiJtb3RlLTEiLCJyZXMiOiJsZWQiLCJzZXEiOjEsImV4cCI6MTc5NTE3OTYwMH0",
    );
    expect(payload).toBe("W3sibiI6ImxlZCIsInYiOjF9XQ");
    const signed = new TextEncoder().encode(`${header}.${payload}`);
    const key = readKey(COMMANDER);
    expect(await signatureIsRight(key, decodeBase64url(signature), signed, subtle)).toBe(true);
  });

  test("names its domain, and the type of its value", async () => {
    const { commander } = await makeCommander(subtle);
    const command = { ...COMMAND, d: "lab", exp: undefined, value: true };
    const [header = "", payload = ""] = (await signCommand(command, commander, subtle)).split(".");
    const text = (part: string) => new TextDecoder().decode(decodeBase64url(part));
    expect(JSON.parse(text(header))).toMatchObject({ d: "lab", kid: commander.kid });
    expect(JSON.parse(text(header))).not.toHaveProperty("exp");
    expect(JSON.parse(text(payload))).toEqual([{ n: "led", vb: true }]);
  });
});

test("the secret of a key cannot be read again", async () => {
  const { commander: imported } = await importCommander(JSON.stringify(COMMANDER), subtle);
  const { commander } = await makeCommander(subtle);
  for (const { key } of [imported, commander]) {
    await expect(subtle.exportKey("jwk", key)).rejects.toThrow();
  }
});

test("other texts than private keys are refused with a reason", async () => {
  const { d: _, ...open } = COMMANDER;
  for (const [text, reason] of [
    ["{", "not JSON"],
    [JSON.stringify(open), "member d"],
    [JSON.stringify({ ...COMMANDER, crv: "P-521" }), "unsupported"],
    [JSON.stringify({ ...COMMANDER, d: "AA" }), "private key"],
  ] as const) {
    const refused = importCommander(text, subtle);
    await expect(refused).rejects.toThrow(KeyError);
    await expect(refused).rejects.toThrow(reason);
  }
});

test("a typed value is a number, true or false, otherwise a text", () => {
  expect(["1", "-0,5", "true", " false ", "open", ""].map(valueOf)).toEqual([
    1,
    -0.5,
    true,
    false,
    "open",
    "",
  ]);
});
