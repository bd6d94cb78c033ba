import { describe, expect, test } from "vitest";
import { Api, ApiProblem } from "../src/gateway/api";
import { SessionStore, type Session } from "../src/gateway/session";
import { passwordFault, passwordProblem } from "../src/text/passwords";

const ANN = { account: "ann", roles: ["viewer:plant"], passwordChangeNeeded: false };

/** A gateway that answers one request after another, and the received requests. */
function gateway(...answers: Response[]) {
  const requests: string[] = [];
  const api = new Api("http://gateway/", (path, init) => {
    const { "X-Vigil-CSRF": csrf = "" } = (init?.headers ?? {}) as Record<string, string>;
    requests.push(`${init?.method ?? "GET"} ${new URL(String(path)).pathname} ${csrf}`);
    const answer = answers.shift();
    return answer === undefined ? Promise.reject(new TypeError()) : Promise.resolve(answer);
  });
  return { api, requests };
}

function problem(status: number, detail: string, headers: Record<string, string> = {}) {
  return Response.json({ status, detail }, { status, headers });
}

function states(store: SessionStore): Session[] {
  const seen: Session[] = [];
  store.subscribe(() => seen.push(store.getSnapshot()));
  return seen;
}

describe("a session", () => {
  test("is asked for, begun and ended, changes with the CSRF header", async () => {
    const { api, requests } = gateway(
      problem(401, "nobody is signed in: sign in first"),
      Response.json(ANN),
      new Response(null, { status: 204 }),
    );
    let begun = 0;
    const store = new SessionStore(api, () => begun++);
    const seen = states(store);
    await store.refresh();
    await store.signIn("ann", "secret");
    await store.signOut();
    expect(requests).toEqual(["GET /api/session ", "POST /api/session 1", "DELETE /api/session 1"]);
    expect(seen.map(({ state }) => state)).toEqual(["signed-out", "signed-in", "signed-out"]);
    expect(begun).toBe(1);
  });

  test("with a one-time password begins once that is changed", async () => {
    const { api } = gateway(
      Response.json({ ...ANN, passwordChangeNeeded: true }),
      Response.json(ANN),
    );
    let begun = 0;
    const store = new SessionStore(api, () => begun++);
    await store.signIn("ann", "once");
    expect(begun).toBe(0);
    await store.changePassword("once", "another password");
    expect(begun).toBe(1);
  });

  test("that ended is distinguished from one that never was", async () => {
    const { api } = gateway(Response.json(ANN), problem(401, ""), problem(401, ""));
    const store = new SessionStore(api, () => undefined);
    await store.refresh();
    await store.refresh();
    await store.refresh();
    expect(store.getSnapshot()).toEqual({ state: "signed-out", ended: true });
  });

  test("stays as it is while the gateway cannot be reached", async () => {
    const { api } = gateway(Response.json(ANN));
    const store = new SessionStore(api, () => undefined);
    await store.refresh();
    await store.refresh();
    expect(store.getSnapshot().state).toBe("signed-in");
  });
});

describe("a problem says what to do", () => {
  test.each([
    [new ApiProblem(0), "cannot be reached"],
    [new ApiProblem(401, "x"), "name or the password is wrong"],
    [new ApiProblem(429, "x", 40), "Wait 40 s"],
    [new ApiProblem(503), "busy"],
    [new ApiProblem(400, "the new password is wrong"), "The new password is wrong."],
    [new ApiProblem(500), "status 500"],
    [new TypeError(), "Reload"],
  ])("%s", (reason, words) => {
    expect(passwordProblem(reason)).toContain(words);
  });

  test("even before a password is sent", () => {
    expect(passwordFault("short", "short")).toContain("12 characters");
    expect(passwordFault("long enough, twice", "long enough")).toContain("differ");
    expect(passwordFault("long enough, twice", "long enough, twice")).toBeUndefined();
  });
});
