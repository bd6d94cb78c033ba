import type { Control } from "../../gateway/model";
import {
  DAYS,
  type Action,
  type Automation,
  type AutomationSettings,
  type Condition,
  type Schedule,
} from "./api";

/** The contents of the fields of a condition; a number is a text until the form is sent. */
export interface ConditionDraft {
  key: number;
  kind: Condition["kind"];
  ep: string;
  path: string;
  record: string;
  unit: string;
  above: string;
  below: string;
  hysteresis: string;
  perSeconds: string;
  seconds: string;
}

export interface ActionDraft {
  key: number;
  kind: Action["kind"];
  ep: string;
  path: string;
  value: string;
  destination: string;
  topic: string;
  payload: string;
  text: string;
  expiresSeconds: string;
}

export interface AutomationDraft {
  id: string;
  name: string;
  d: string;
  enabled: boolean;
  match: Automation["match"];
  conditions: readonly ConditionDraft[];
  /** Undefined: at any time. */
  schedule: Schedule | undefined;
  holdSeconds: string;
  cooldownSeconds: string;
  maxRunsPerHour: string;
  actions: readonly ActionDraft[];
}

/** The automation in the form; `tag` is the version that the change is based on, undefined for a new one. */
export interface Edited {
  draft: AutomationDraft;
  tag?: string;
}

/** A fault that the form finds itself; the names are keys of the messages. */
export type Fault = "number" | "id" | "taken";

const ID = /^[a-z0-9][a-z0-9-]{0,63}$/;
const CONDITION_NUMBERS = ["above", "below", "hysteresis", "perSeconds", "seconds"] as const;

let lastKey = 0;

export function newCondition(ep = "", path = ""): ConditionDraft {
  return {
    key: ++lastKey,
    kind: "value",
    ep,
    path,
    record: "",
    unit: "",
    above: "",
    below: "",
    hysteresis: "",
    perSeconds: "600",
    seconds: "3600",
  };
}

export function newAction(): ActionDraft {
  return {
    key: ++lastKey,
    kind: "command",
    ep: "",
    path: "",
    value: "",
    destination: "",
    topic: "",
    payload: "",
    text: "",
    expiresSeconds: "3600",
  };
}

export function newSchedule(zone: string): Schedule {
  return { days: [...DAYS], from: "22:00", to: "06:00", zone };
}

export function newDraft(d: string): AutomationDraft {
  return {
    id: "",
    name: "",
    d,
    enabled: true,
    match: "all",
    conditions: [newCondition()],
    schedule: undefined,
    holdSeconds: "0",
    cooldownSeconds: "60",
    maxRunsPerHour: "60",
    actions: [newAction()],
  };
}

export function draftOf(automation: Automation): AutomationDraft {
  return {
    id: automation.id,
    name: automation.name,
    d: automation.d,
    enabled: automation.enabled,
    match: automation.match,
    conditions: automation.conditions.map((one) => ({
      ...newCondition(one.ep, one.path),
      kind: one.kind,
      record: one.record ?? "",
      unit: one.unit ?? "",
      above: one.above?.toString() ?? "",
      below: one.below?.toString() ?? "",
      hysteresis: one.hysteresis === 0 ? "" : one.hysteresis.toString(),
      ...(one.perSeconds === undefined ? {} : { perSeconds: one.perSeconds.toString() }),
      ...(one.seconds === undefined ? {} : { seconds: one.seconds.toString() }),
    })),
    schedule: automation.schedule,
    holdSeconds: automation.holdSeconds.toString(),
    cooldownSeconds: automation.cooldownSeconds.toString(),
    maxRunsPerHour: automation.maxRunsPerHour.toString(),
    actions: automation.actions.map((one) => ({
      ...newAction(),
      kind: one.kind,
      ep: one.ep ?? "",
      path: one.path ?? "",
      value: one.value === undefined ? "" : String(one.value),
      destination: one.destination ?? "",
      topic: one.topic ?? "",
      payload: one.payload ?? "",
      text: one.text ?? "",
      ...(one.expiresSeconds === undefined
        ? {}
        : { expiresSeconds: one.expiresSeconds.toString() }),
    })),
  };
}

/** The faults by field, named as the gateway names them. */
export function faultsOf(draft: AutomationDraft): Record<string, Fault> {
  const faults: Record<string, Fault> = {};
  if (!ID.test(draft.id)) faults["id"] = "id";
  const check = (field: string, text: string) => {
    if (text.trim() !== "" && !Number.isFinite(numberOf(text))) faults[field] = "number";
  };
  check("holdSeconds", draft.holdSeconds);
  check("cooldownSeconds", draft.cooldownSeconds);
  check("maxRunsPerHour", draft.maxRunsPerHour);
  draft.conditions.forEach((one, i) => {
    for (const member of CONDITION_NUMBERS) check(`conditions[${i}].${member}`, one[member]);
  });
  draft.actions.forEach((one, i) => check(`actions[${i}].expiresSeconds`, one.expiresSeconds));
  return faults;
}

/** The names of all fields of the form, with which the gateway names a fault. */
export function fieldsOf(draft: AutomationDraft): string[] {
  const members = (list: string, items: readonly object[]) =>
    items.flatMap((item, i) => Object.keys(item).map((member) => `${list}[${i}].${member}`));
  return [
    ...Object.keys(draft),
    ...["days", "from", "to", "zone"].map((member) => `schedule.${member}`),
    ...members("conditions", draft.conditions),
    ...members("actions", draft.actions),
  ];
}

/** @param controls finds the control of a resource that an action commands */
export function settingsOf(
  draft: AutomationDraft,
  controls: (ep: string, path: string) => Control | undefined,
): AutomationSettings {
  return {
    name: draft.name.trim() === "" ? draft.id : draft.name.trim(),
    d: draft.d,
    enabled: draft.enabled,
    match: draft.match,
    conditions: draft.conditions.map(conditionOf),
    ...(draft.schedule === undefined ? {} : { schedule: draft.schedule }),
    ...numbers(draft, ["holdSeconds", "cooldownSeconds", "maxRunsPerHour"]),
    actions: draft.actions.map((one) => actionOf(one, controls(one.ep, one.path))),
  };
}

type ConditionBody = NonNullable<NonNullable<AutomationSettings["conditions"]>[number]>;
type ActionBody = NonNullable<AutomationSettings["actions"]>[number];

function conditionOf(draft: ConditionDraft): ConditionBody {
  const { kind, ep, path } = draft;
  if (kind === "age") return { kind, ep, path, ...numbers(draft, ["seconds"]) };
  return {
    kind,
    ep,
    path,
    ...texts(draft, ["record", "unit"]),
    ...numbers(draft, ["above", "below", "hysteresis"]),
    ...(kind === "rate" ? numbers(draft, ["perSeconds"]) : {}),
  };
}

function actionOf(draft: ActionDraft, control: Control | undefined): ActionBody {
  const { kind } = draft;
  switch (kind) {
    case "command":
      return {
        kind,
        ep: draft.ep,
        path: draft.path,
        ...(draft.value === "" ? {} : { value: valueOf(draft.value, control) }),
        ...numbers(draft, ["expiresSeconds"]),
      };
    case "webhook":
      return { kind, ...texts(draft, ["destination", "text"]) };
    case "mqtt":
      return { kind, ...texts(draft, ["destination", "topic", "payload"]) };
  }
}

/** The value of a command: one of the control's values, a number, a boolean or a text. */
export function valueOf(text: string, control: Control | undefined): number | boolean | string {
  const listed = control?.values.find((one) => String(one) === text);
  if (listed !== undefined) return listed;
  if (control?.kind === "text") return text;
  if (text === "true" || text === "false") return text === "true";
  const number = numberOf(text);
  return text.trim() !== "" && Number.isFinite(number) ? number : text;
}

function numberOf(text: string): number {
  return Number(text.trim().replace(",", "."));
}

/** The members that are filled in, as numbers. */
function numbers<K extends string>(draft: Record<K, string>, members: readonly K[]) {
  return Object.fromEntries(
    members
      .filter((member) => draft[member].trim() !== "")
      .map((member) => [member, numberOf(draft[member])]),
  ) as Partial<Record<K, number>>;
}

function texts<K extends string>(draft: Record<K, string>, members: readonly K[]) {
  return Object.fromEntries(
    members
      .filter((member) => draft[member].trim() !== "")
      .map((member) => [member, draft[member]]),
  ) as Partial<Record<K, string>>;
}
