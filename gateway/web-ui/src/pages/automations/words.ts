import { decimal, exactDuration, unitInWords } from "../../text/format";
import {
  DAYS,
  type Action,
  type Automation,
  type Cause,
  type Condition,
  type Schedule,
} from "./api";
import type { Words } from "./messages";

/** The conditions and the schedule of an automation in one sentence. */
export function whenWords(automation: Automation, words: Words): string {
  const conditions = automation.conditions
    .map((one) => conditionWords(one, words))
    .join(automation.match === "all" ? words.and : words.or);
  const schedule = automation.schedule;
  const times = schedule === undefined ? "" : scheduleWords(schedule, words);
  const held =
    automation.holdSeconds === 0 ? "" : words.held(exactDuration(automation.holdSeconds));
  return [conditions, times, held].filter((part) => part !== "").join(", ");
}

export function conditionWords(condition: Condition, words: Words): string {
  const { kind, ep, path } = condition;
  const limits = [
    condition.above === undefined ? "" : words.above(quantity(condition.above, condition.unit)),
    condition.below === undefined ? "" : words.below(quantity(condition.below, condition.unit)),
  ]
    .filter((part) => part !== "")
    .join(words.or);
  switch (kind) {
    case "value":
      return words.valueIs(path, ep, limits);
    case "rate":
      return words.rateIs(path, ep, limits, exactDuration(condition.perSeconds ?? 1));
    case "age":
      return words.ageIs(path, ep, exactDuration(condition.seconds ?? 1));
  }
}

function quantity(number: number, unit: string | undefined): string {
  const digits = decimal(number, { maximumFractionDigits: 6 });
  return unit === undefined ? digits : `${digits} ${unitInWords(unit)}`;
}

/** The conditions that held at the time of a run. */
export function causeWords(causes: readonly Cause[], words: Words): string {
  const held = causes.filter(({ holds }) => holds);
  return held.length === 0
    ? words.scheduleBegan
    : held.map((one) => wordsOf(one, words)).join(", ");
}

function wordsOf(cause: Cause, words: Words): string {
  const { kind, ep, path, number } = cause;
  if (kind === "age") return words.ageIs(path, ep, exactDuration(Math.floor(number ?? 0)));
  const shown = number === undefined ? "?" : quantity(number, cause.unit);
  return kind === "value"
    ? words.valueIs(path, ep, shown)
    : words.rateIs(path, ep, shown, exactDuration(cause.perSeconds ?? 1));
}

export function scheduleWords({ days, from, to, zone }: Schedule, words: Words): string {
  const named =
    days.length === DAYS.length
      ? words.everyDay
      : DAYS.filter((day) => days.includes(day))
          .map((day) => words.day[day])
          .join(", ");
  return `${named} ${from}–${to} (${zone})`;
}

export function actionWords(action: Action, words: Words): string {
  switch (action.kind) {
    case "command":
      return words.sendsCommand(action.path ?? "", action.ep ?? "", String(action.value ?? ""));
    case "webhook":
      return words.sendsEvent(action.destination ?? "");
    case "mqtt":
      return words.sendsMessage(action.topic ?? "", action.destination ?? "");
  }
}
