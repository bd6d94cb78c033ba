import { expect, test } from "vitest";
import type { Automation } from "../src/pages/automations/api";
import {
  draftOf,
  faultsOf,
  fieldsOf,
  newDraft,
  settingsOf,
  valueOf,
} from "../src/pages/automations/drafts";
import { messages } from "../src/pages/automations/messages";
import { actionWords, causeWords, whenWords } from "../src/pages/automations/words";
import { idOf } from "../src/text/ids";

const FAN: Automation = {
  id: "fan",
  name: "Fan",
  d: "plant",
  enabled: true,
  match: "all",
  conditions: [
    { kind: "value", ep: "boiler", path: "temp", unit: "Cel", above: 30, hysteresis: 2 },
    { kind: "rate", ep: "boiler", path: "temp", below: -1.5, hysteresis: 0, perSeconds: 600 },
    { kind: "age", ep: "door", path: "open", hysteresis: 0, seconds: 3600 },
  ],
  schedule: { days: ["mon", "fri"], from: "22:00", to: "06:00", zone: "Europe/Berlin" },
  holdSeconds: 60,
  cooldownSeconds: 0,
  maxRunsPerHour: 10,
  actions: [
    { kind: "command", ep: "boiler", path: "fan", value: 1, expiresSeconds: 600 },
    { kind: "webhook", destination: "shop", text: "too hot" },
    { kind: "mqtt", destination: "home", topic: "hall/fan", payload: "ON" },
  ],
  saved: { by: "ann", at: "2026-11-20T12:00:00Z" },
  status: { state: "waiting" },
};

const { id, saved, status, ...SETTINGS } = FAN;

test("a draft becomes the automation that it was made from", () => {
  expect([id, saved.by, status.state]).toEqual(["fan", "ann", "waiting"]);
  const sent = settingsOf(draftOf(FAN), () => undefined);
  expect(sent).toEqual({
    ...SETTINGS,
    conditions: [
      { kind: "value", ep: "boiler", path: "temp", unit: "Cel", above: 30, hysteresis: 2 },
      { kind: "rate", ep: "boiler", path: "temp", below: -1.5, perSeconds: 600 },
      { kind: "age", ep: "door", path: "open", seconds: 3600 },
    ],
  });
  expect(faultsOf(draftOf(FAN))).toEqual({});
});

test("members of other kinds are not sent", () => {
  const draft = newDraft("-");
  const sent = settingsOf({ ...draft, id: "x" }, () => undefined);
  expect(sent.conditions).toEqual([{ kind: "value", ep: "", path: "" }]);
  expect(sent.actions).toEqual([{ kind: "command", ep: "", path: "", expiresSeconds: 3600 }]);
  expect(sent.name).toBe("x");
});

test("faults have the names that the gateway gives to fields", () => {
  const draft = draftOf(FAN);
  const wrong = {
    ...draft,
    id: "Fan 1",
    holdSeconds: "long",
    conditions: draft.conditions.map((one, i) => (i === 1 ? { ...one, below: "much" } : one)),
  };
  expect(faultsOf(wrong)).toEqual({
    id: "id",
    holdSeconds: "number",
    "conditions[1].below": "number",
  });
  expect(fieldsOf(draft)).toEqual(
    expect.arrayContaining(["conditions[2].seconds", "actions[0].value", "schedule.zone", "d"]),
  );
});

test("a value is what the resource takes", () => {
  const control = {
    kind: "switch" as const,
    declared: true,
    minimum: undefined,
    maximum: undefined,
    multipleOf: undefined,
    values: [false, true],
  };
  expect(valueOf("true", control)).toBe(true);
  expect(valueOf("1", { ...control, values: [0, 1] })).toBe(1);
  expect(valueOf("12", { ...control, kind: "text", values: [] })).toBe("12");
  expect(valueOf("21,5", { ...control, kind: "number", values: [] })).toBe(21.5);
  expect(valueOf("on", undefined)).toBe("on");
});

test("an automation is shown in words of both languages", () => {
  expect(whenWords(FAN, messages.en)).toBe(
    "temp of boiler is above 30 °C and the change of temp of boiler in 10 min is below -1.5 and open of door has no value for 1 h, Mon, Fri 22:00–06:00 (Europe/Berlin), for 1 min",
  );
  expect(whenWords({ ...FAN, match: "any" }, messages.de)).toContain(
    "temp von boiler ist über 30 °C oder die Änderung von temp von boiler in 10 min ist unter -1",
  );
  expect(FAN.actions.map((one) => actionWords(one, messages.en))).toEqual([
    "fan of boiler := 1",
    "event to shop",
    "message on hall/fan at home",
  ]);
});

test("the cause of a run is shown in words", () => {
  const cause = { kind: "value" as const, ep: "boiler", path: "temp", holds: true, number: 31 };
  const causes = [
    { ...cause, unit: "Cel" },
    { ...cause, holds: false },
  ];
  expect(causeWords(causes, messages.de)).toBe("temp von boiler ist 31 °C");
  expect(causeWords([{ ...cause, kind: "age", number: 3600 }], messages.en)).toBe(
    "temp of boiler has no value for 1 h",
  );
  expect(causeWords([], messages.en)).toBe("its time began");
});

test("an id follows from the name", () => {
  expect(idOf("Lüfter, Halle 3")).toBe("luefter-halle-3");
});
