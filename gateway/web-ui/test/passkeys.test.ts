import { describe, expect, test } from "vitest";
import { Api, ApiProblem } from "../src/gateway/api";
import { answerWithPasskey, makePasskey, PasskeyFault } from "../src/gateway/passkeys";
import { SessionStore } from "../src/gateway/session";
import { suggestedName } from "../src/pages/accounts/passkeys";
import { passwordProblem } from "../src/text/passwords";
import { chooseLanguage } from "../src/text/language";
import { problemText } from "../src/text/problems";

const REQUEST = {
  challenge: "AQID",
  rpId: "gateway.example",
  timeout: 300_000,
  allowCredentials: [{ type: "public-key", id: "BAU", transports: ["usb"] }],
  userVerification: "required",
};

function octets(...numbers: number[]): ArrayBuffer {
  return Uint8Array.from(numbers).buffer;
}

/** A browser whose authenticator answers with fixed octets, and the received options. */
function browser(answer: () => Promise<unknown>) {
  const asked: unknown[] = [];
  const take = (options: unknown) => {
    asked.push(options);
    return answer() as Promise<Credential>;
  };
  return { asked, browser: { create: take, get: take } };
}

function assertion(userHandle: ArrayBuffer | null) {
  const response = {
    clientDataJSON: octets(1),
    authenticatorData: octets(2),
    signature: octets(3),
    userHandle,
  };
  return { rawId: octets(4, 5), response };
}

describe("a passkey", () => {
  test("answers a challenge in the members of the API", async () => {
    const { asked, browser: one } = browser(() => Promise.resolve(assertion(octets(9))));
    expect(await answerWithPasskey(REQUEST, one)).toEqual({
      id: "BAU",
      clientDataJSON: "AQ",
      authenticatorData: "Ag",
      signature: "Aw",
      userHandle: "CQ",
    });
    expect(asked).toEqual([
      {
        publicKey: {
          ...REQUEST,
          challenge: Uint8Array.of(1, 2, 3),
          allowCredentials: [{ type: "public-key", id: Uint8Array.of(4, 5), transports: ["usb"] }],
        },
      },
    ]);
    const without = browser(() => Promise.resolve(assertion(null))).browser;
    expect(await answerWithPasskey(REQUEST, without)).not.toHaveProperty("userHandle");
  });

  test("is made for the account that the options name", async () => {
    const options = {
      ...REQUEST,
      user: { id: "Bw", name: "ann", displayName: "ann" },
      excludeCredentials: [{ type: "public-key", id: "BAU", transports: [] }],
    };
    const response = {
      clientDataJSON: octets(1),
      attestationObject: octets(2),
      getTransports: () => ["internal"],
    };
    const { asked, browser: one } = browser(() => Promise.resolve({ response }));
    const made = await makePasskey(options, one);
    expect(made).toEqual({
      clientDataJSON: "AQ",
      attestationObject: "Ag",
      transports: ["internal"],
    });
    expect(asked).toMatchObject([
      {
        publicKey: {
          user: { id: Uint8Array.of(7), name: "ann" },
          excludeCredentials: [{ id: Uint8Array.of(4, 5) }],
        },
      },
    ]);
  });

  test.each([
    ["NotAllowedError", "not-used"],
    ["AbortError", "not-used"],
    ["InvalidStateError", "known"],
    ["ConstraintError", "unsupported"],
    ["SecurityError", "insecure"],
  ])("that the browser refuses with %s says why", async (name, kind) => {
    const refusing = browser(() => Promise.reject(new DOMException("", name))).browser;
    const refused = await answerWithPasskey(REQUEST, refusing).catch((fault: unknown) => fault);
    expect(refused).toEqual(new PasskeyFault(kind as PasskeyFault["kind"]));
    chooseLanguage("de");
    expect(problemText(refused)).toMatch(/Passkey/);
    chooseLanguage("en");
    expect(problemText(refused)).toMatch(/asskey|PIN/);
  });
});

test("a session begins with a passkey, and none when it is refused", async () => {
  const bodies: string[] = [];
  const answers = [
    Response.json(REQUEST),
    Response.json({ account: "ann", roles: [], passwordChangeNeeded: false }),
    Response.json(REQUEST),
    Response.json({ type: "/problems/wrong-passkey", status: 401 }, { status: 401 }),
  ];
  const api = new Api("http://gateway/", (path, init) => {
    bodies.push(`${new URL(String(path)).pathname} ${String(init?.body)}`);
    return Promise.resolve(answers.shift() ?? Response.error());
  });
  const store = new SessionStore(api, () => undefined);
  const answer = () => Promise.resolve({ id: "BAU" });
  await store.signInWithPasskey({ account: "ann", password: "secret" }, answer);
  expect(store.getSnapshot().state).toBe("signed-in");
  expect(bodies).toEqual([
    '/api/sign-in/passkey/options {"account":"ann","password":"secret"}',
    '/api/sign-in/passkey {"id":"BAU"}',
  ]);
  const refused = await store.signInWithPasskey(undefined, answer).catch((fault: unknown) => fault);
  expect(refused).toBeInstanceOf(ApiProblem);
  expect(passwordProblem(refused)).toContain("passkey is not accepted");
});

test("the name of a new passkey is the browser's, where it is one", () => {
  expect(suggestedName("Mozilla/5.0 (X11; Linux x86_64) Chrome/156 Safari/537")).toBe(
    "Chrome (Linux)",
  );
  expect(suggestedName("<none>")).toBe("");
});
