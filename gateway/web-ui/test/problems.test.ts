import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { Api, ApiProblem } from "../src/gateway/api";
import { chooseLanguage, LANGUAGES } from "../src/text/language";
import { commonMessages } from "../src/text/messages";
import { problemMessages } from "../src/text/problemMessages";
import { problemParts, problemText } from "../src/text/problems";
import { noteText } from "../src/text/waitingNotes";

const REPOSITORY = join(import.meta.dirname, "../../..");

/** The only source file with this name in the gateway's modules, in any package. */
function sourceInGateway(name: string): string {
  const modules = readdirSync(join(REPOSITORY, "gateway"))
    .map((module) => join("gateway", module, "src/main/java"))
    .filter((folder) => existsSync(join(REPOSITORY, folder)));
  const found = modules.flatMap((folder) =>
    readdirSync(join(REPOSITORY, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(`/${name}`))
      .map((path) => join(folder, path)),
  );
  if (found.length !== 1) throw new Error(`${name} exists ${found.length} times: ${found.join()}`);
  return found.join();
}

/** The names of an enum's constants in the API, which writes them in lower case with hyphens. */
function labels(path: string): string[] {
  const source = readFileSync(join(REPOSITORY, path), "utf8");
  const body = source.slice(source.search(/\benum \w+ \{/));
  const names = [...body.slice(0, body.indexOf(";\n")).matchAll(/^ {2}([A-Z][A-Z_]+)\b/gm)];
  return names.map(([, name = ""]) => name.toLowerCase().replaceAll("_", "-")).sort();
}

afterEach(() => chooseLanguage("en"));

describe.each(LANGUAGES)("in %s there is a text", (language) => {
  test("for each kind of problem of the API, and for no other", () => {
    const types = labels(sourceInGateway("ProblemType.java"));
    expect(types.length).toBeGreaterThan(35);
    const texts = problemMessages[language];
    expect(Object.keys(texts).sort()).toEqual(types);
    // Two sentences: the event and the remedy.
    for (const text of Object.values(texts)) expect(text).toMatch(/^[A-Z].+[.:].+\.$/);
    expect(new Set(Object.values(texts)).size).toBe(types.length);
  });

  test("for each reason of a rejection", () => {
    const reasons = labels("mirror-proxy/src/main/java/dev/vigil/mirror/refusal/Reason.java");
    expect(Object.keys(commonMessages[language].rejection).sort()).toEqual(reasons);
  });
});

test("a problem is described by its kind, then in the gateway's own words", () => {
  const taken = new ApiProblem(409, "there are 16 already", undefined, "limit-reached");
  chooseLanguage("de");
  expect(problemParts(taken)).toEqual({
    sentence:
      "Es gibt schon so viele, wie es geben darf. Entfernen Sie erst, was nicht mehr gebraucht wird.",
    detail: "There are 16 already.",
  });
  const changed = new ApiProblem(412, "it has version 3", undefined, "changed-meanwhile");
  expect(problemText(changed)).toBe(problemMessages.de["changed-meanwhile"]);
  chooseLanguage("en");
  expect(problemText(taken)).toMatch(/^The limit is reached\. .* There are 16 already\.$/);
});

test("a problem of an unknown kind is described by its status", () => {
  expect(problemText(new ApiProblem(409, "new words", undefined, "new-kind"))).toBe("New words.");
  expect(problemText(new ApiProblem(403, "no", undefined, "new-kind"))).toContain(
    "is not allowed to do this",
  );
  expect(problemText(new ApiProblem(500))).toContain("status 500");
  const limited = new ApiProblem(429, "slow", 40, "too-many-requests");
  expect(problemText(limited)).toContain("Wait 40 s");
});

test.each([
  ["/problems/still-used", "still-used"],
  ["about:blank", ""],
  ["https://elsewhere.example/problems/still-used", ""],
  [undefined, ""],
])("the kind of a problem is read from %s", async (type, kind) => {
  const api = new Api("http://gateway/", () =>
    Promise.resolve(Response.json({ type, status: 409, detail: "x" }, { status: 409 })),
  );
  await expect(api.json("api/x")).rejects.toMatchObject({ status: 409, type: kind, detail: "x" });
});

test("reasons of waiting keys are shown in the chosen language", () => {
  chooseLanguage("de");
  expect(noteText("waits for approval")).toContain("brauchen eine Freigabe");
  expect(noteText("the key is that of mote-1")).toContain("gehört zu mote-1");
  expect(noteText("a new reason")).toBe("a new reason");
});
