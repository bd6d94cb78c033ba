import { afterEach, describe, expect, test } from "vitest";
import { Api, ApiProblem } from "../src/gateway/api";
import { alarmKinds, type AlarmKind } from "../src/gateway/alarmKinds";
import { fieldFault } from "../src/gateway/fieldFault";
import {
  putRule,
  type Alarm,
  type AlarmFilter,
  type AlarmPage,
  type Rule,
} from "../src/pages/alarms/api";
import { conditionText } from "../src/pages/alarms/condition";
import { fits, joined, withAlarm } from "../src/pages/alarms/live";
import { messages } from "../src/pages/alarms/messages";
import { draftOf, faultsOf, newDraft, settingsOf } from "../src/pages/alarms/rules";
import { alarmKindName, alarmKindText } from "../src/text/alarmKinds";
import { idOf } from "../src/text/ids";
import { chooseLanguage } from "../src/text/language";

const VALUE: AlarmKind = {
  kind: "value",
  watches: "resource",
  above: "either",
  below: "either",
  units: [],
  texts: {
    en: { name: "value out of limits", condition: "a value is", measure: "" },
    de: { name: "Wert außerhalb der Grenzen", condition: "ein Wert liegt", measure: "" },
  },
};
const { texts } = VALUE;
const MISSING: AlarmKind = { kind: "missing", watches: "endpoint", texts };
const DISK: AlarmKind = { kind: "disk", watches: "gateway", below: "needed", texts };
const REJECTIONS: AlarmKind = {
  kind: "rejections",
  watches: "endpoint-or-all",
  above: "needed",
  texts,
};
const KINDS = [VALUE, MISSING, DISK, REJECTIONS];

function fieldsOf(kind: string): AlarmKind {
  return KINDS.find((one) => one.kind === kind) ?? VALUE;
}

afterEach(() => chooseLanguage("en"));

const OPEN: AlarmFilter = { state: "open", severity: "", kind: "", text: "" };

function alarm(id: string, changes: Partial<Alarm> = {}): Alarm {
  return {
    id,
    rule: "missing",
    kind: "missing",
    severity: "warning",
    state: "active",
    silenced: false,
    text: "oven-1 is silent",
    texts: { en: "oven-1 is silent", de: "oven-1 schweigt" },
    count: 1,
    raisedAt: "2026-01-01T00:00:00Z",
    changedAt: "2026-01-01T00:00:00Z",
    ...changes,
  };
}

function page(...alarms: Alarm[]): AlarmPage {
  return { alarms, refused: 0 };
}

const ids = ({ alarms }: AlarmPage) => alarms.map(({ id }) => id).join("");

describe("listed alarms", () => {
  test("get new ones and lose cleared ones, newest first", () => {
    const two = withAlarm(page(alarm("b"), alarm("a")), alarm("c"), OPEN);
    expect(ids(two)).toBe("cba");
    expect(ids(withAlarm(two, alarm("b", { state: "cleared" }), OPEN))).toBe("ca");
    const seen = withAlarm(two, alarm("a", { state: "acknowledged" }), OPEN);
    expect(seen.alarms.map(({ state }) => state)).toEqual(["active", "active", "acknowledged"]);
  });

  test("leave out alarms of the next page", () => {
    const first = { ...page(alarm("d"), alarm("c")), next: "c" };
    expect(ids(withAlarm(first, alarm("b"), OPEN))).toBe("dc");
    expect(ids(joined(first, page(alarm("c"), alarm("b"))))).toBe("dcb");
    expect(joined(first, page()).next).toBeUndefined();
  });

  test("match a filter like the gateway does", () => {
    expect(fits(alarm("a"), { ...OPEN, text: " OVEN " })).toBe(true);
    expect(fits(alarm("a"), { ...OPEN, severity: "critical" })).toBe(false);
    expect(fits(alarm("a"), { ...OPEN, kind: "value" })).toBe(false);
    expect(fits(alarm("a"), { ...OPEN, state: "cleared" })).toBe(false);
    expect(fits(alarm("a", { state: "cleared" }), { ...OPEN, state: "all" })).toBe(true);
  });
});

describe("the kinds of alarms", () => {
  test("are requested once, and again after a failure", async () => {
    let requests = 0;
    const api = new Api("http://gateway/", (path) => {
      expect(new URL(String(path)).pathname).toBe("/api/alarm-kinds");
      return Promise.resolve(
        ++requests === 1 ? new Response(null, { status: 503 }) : Response.json({ kinds: KINDS }),
      );
    });
    await expect(alarmKinds(api)).rejects.toThrow(ApiProblem);
    expect(await alarmKinds(api)).toEqual(KINDS);
    expect(await alarmKinds(api)).toEqual(KINDS);
    expect(requests).toBe(2);
  });

  test("have their texts in the chosen language", () => {
    expect(alarmKindName(KINDS, "value")).toBe("value out of limits");
    chooseLanguage("de");
    expect(alarmKindName(KINDS, "value")).toBe("Wert außerhalb der Grenzen");
    expect(alarmKindText(KINDS, "value")?.condition).toBe("ein Wert liegt");
    expect(alarmKindName(KINDS, "new-kind")).toBe("new-kind");
    expect(alarmKindName(undefined, "value")).toBe("value");
  });
});

describe("the form of a rule", () => {
  const draft = { ...newDraft(), id: "hot" };

  test.each([
    [{ ...draft }, { above: "limitNeeded" }],
    [{ ...draft, above: "x" }, { above: "number" }],
    [{ ...draft, above: "1", below: "2" }, { below: "belowAbove" }],
    [{ ...draft, above: "30,5", below: "-4" }, {}],
    [{ ...draft, above: "1", hysteresis: "-1" }, { hysteresis: "number" }],
    [{ ...draft, above: "1", holdSeconds: "1.5" }, { holdSeconds: "seconds" }],
    [{ ...draft, above: "1", clearSeconds: "604801" }, { clearSeconds: "seconds" }],
    [{ ...draft, kind: "disk" as const, above: "7" }, { below: "needed" }],
    [{ ...draft, kind: "missing" as const, above: "x" }, {}],
    [{ ...draft, id: "Hot", above: "1" }, { id: "id" }],
  ])("finds the fault %#", (given, faults) => {
    expect(faultsOf(given, fieldsOf(given.kind))).toEqual(faults);
  });

  test("sends only what the kind has", () => {
    expect(
      settingsOf(
        { ...draft, kind: "disk", below: "5", above: "9", ep: "oven", d: "lab", unit: "V" },
        DISK,
      ),
    ).toEqual({
      kind: "disk",
      severity: "warning",
      enabled: true,
      below: 5,
      holdSeconds: 0,
      clearSeconds: 0,
    });
    const value = settingsOf({ ...draft, above: "30,5", ep: "", path: "temp", unit: "Cel" }, VALUE);
    expect(value).toMatchObject({ above: 30.5, ep: "*", path: "temp", unit: "Cel", hysteresis: 0 });
    expect(settingsOf({ ...draft, kind: "rejections", above: "9", ep: "" }, REJECTIONS).ep).toBe(
      "",
    );
  });

  const rule: Rule = {
    id: "hot",
    source: "store",
    name: "Hot",
    enabled: true,
    kind: "value",
    severity: "critical",
    ep: "oven-*",
    path: "temp",
    tags: ["boiler", "hall"],
    above: 80,
    hysteresis: 5,
    unit: "Cel",
    holdSeconds: 30,
    clearSeconds: 0,
  };

  test("gives back the rule that it was opened with", () => {
    const { id: _id, source: _source, ...settings } = rule;
    expect(settingsOf(draftOf(rule), VALUE)).toEqual(settings);
  });

  test("derives an id from a name, and a sentence from a rule", () => {
    expect(idOf(" Öfen: zu heiß! ")).toBe("oefen-zu-heiss");
    expect(conditionText(rule, texts.en, messages.en)).toBe(
      "a value is above 80 °C for 30 s, at oven-*/temp, tagged boiler, hall",
    );
    expect(
      conditionText({ ...rule, ep: "*", path: "*", tags: [], d: "lab" }, texts.de, messages.de),
    ).toBe("ein Wert liegt über 80 °C für 30 s, bei (lab)");
  });
});

test("a refusal is shown at the field that it names", () => {
  const fields = ["above", "name", "roles"];
  const at = (detail: string) => fieldFault(new ApiProblem(400, detail), fields);
  expect(at("above: is not a number")).toEqual({ field: "above", fault: "Is not a number." });
  expect(at("the member roles is missing")?.field).toBe("roles");
  expect(at("the member name of the body has the wrong type")?.field).toBe("name");
  expect(at("seconds: takes 1 to 5")).toBeUndefined();
  expect(fieldFault(new ApiProblem(0, "above: x"), fields)).toBeUndefined();
});

test("an edit is sent with the version that it is based on", async () => {
  const requests: string[] = [];
  const api = new Api("http://gateway/", (path, init) => {
    const { "If-Match": tag = "" } = (init?.headers ?? {}) as Record<string, string>;
    requests.push(`${init?.method ?? "GET"} ${new URL(String(path)).pathname} ${tag}`);
    return Promise.resolve(Response.json({}, { headers: { ETag: '"7"' } }));
  });
  const { tag } = await api.tagged("api/alarm-rules/hot");
  const settings = settingsOf({ ...newDraft(), id: "hot", above: "80" }, VALUE);
  await putRule(api, "hot", settings, tag);
  expect(requests).toEqual(["GET /api/alarm-rules/hot ", 'PUT /api/alarm-rules/hot "7"']);
  // A new rule must not replace one that somebody else has made meanwhile.
  await putRule(api, "hot", settings, undefined);
  expect(requests.at(-1)).toBe('PUT /api/alarm-rules/hot "0"');
});
