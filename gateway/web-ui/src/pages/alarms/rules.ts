import type { AlarmKind } from "../../gateway/alarmKinds";
import type { Rule, RuleSettings, Severity } from "./api";

/**
 * The parts of a kind that the form shows: the limits of its rules, and the objects that they
 * watch.
 */
export type KindFields = Pick<AlarmKind, "watches" | "above" | "below" | "units">;

export function hasDomain({ watches }: KindFields): boolean {
  return watches !== "gateway";
}

export function hasEndpoint({ watches }: KindFields): boolean {
  return watches !== "gateway" && watches !== "domain";
}

/** Whether a rule is about values of resources, and therefore has a path and a hysteresis. */
export function hasPath({ watches }: KindFields): boolean {
  return watches === "resource";
}

/** The contents of the form's fields. */
export interface RuleDraft {
  id: string;
  name: string;
  kind: Rule["kind"];
  severity: Severity;
  enabled: boolean;
  d: string;
  ep: string;
  path: string;
  tags: readonly string[];
  above: string;
  below: string;
  hysteresis: string;
  unit: string;
  holdSeconds: string;
  clearSeconds: string;
}

/** The rule in the form; `tag` is the version that the change is based on, undefined for a new rule. */
export interface Edited {
  draft: RuleDraft;
  tag?: string;
}

export type RuleField = keyof RuleDraft;

/** A fault that the form finds itself; the names are keys of the messages. */
export type RuleFault =
  "needed" | "number" | "belowAbove" | "limitNeeded" | "seconds" | "id" | "taken";

const MAX_SECONDS = 7 * 86_400;
const ID = /^[a-z0-9][a-z0-9-]{0,63}$/;

export function newDraft(): RuleDraft {
  return {
    id: "",
    name: "",
    kind: "value",
    severity: "warning",
    enabled: true,
    d: "",
    ep: "*",
    path: "*",
    tags: [],
    above: "",
    below: "",
    hysteresis: "",
    unit: "",
    holdSeconds: "0",
    clearSeconds: "0",
  };
}

export function draftOf(rule: Rule): RuleDraft {
  return {
    id: rule.id,
    name: rule.name,
    kind: rule.kind,
    severity: rule.severity,
    enabled: rule.enabled,
    d: rule.d ?? "",
    ep: rule.ep,
    path: rule.path,
    tags: rule.tags,
    above: rule.above?.toString() ?? "",
    below: rule.below?.toString() ?? "",
    hysteresis: rule.hysteresis === 0 ? "" : rule.hysteresis.toString(),
    unit: rule.unit ?? "",
    holdSeconds: rule.holdSeconds.toString(),
    clearSeconds: rule.clearSeconds.toString(),
  };
}

/** The faults by field; none when the gateway is likely to accept the rule. */
export function faultsOf(
  draft: RuleDraft,
  fields: KindFields,
): Partial<Record<RuleField, RuleFault>> {
  const faults: Partial<Record<RuleField, RuleFault>> = {};
  if (!ID.test(draft.id)) faults.id = "id";
  for (const limit of ["above", "below"] as const) {
    if (fields[limit] === undefined) continue;
    if (!isNumber(draft[limit])) faults[limit] = "number";
    else if (fields[limit] === "needed" && draft[limit].trim() === "") faults[limit] = "needed";
  }
  if (fields.above === "either" && draft.above.trim() === "" && draft.below.trim() === "") {
    faults.above = "limitNeeded";
  }
  const above = number(draft.above);
  const below = number(draft.below);
  if (fields.above === "either" && above !== undefined && below !== undefined && below >= above) {
    faults.below = "belowAbove";
  }
  if (hasPath(fields) && (!isNumber(draft.hysteresis) || (number(draft.hysteresis) ?? 0) < 0)) {
    faults.hysteresis = "number";
  }
  for (const field of ["holdSeconds", "clearSeconds"] as const) {
    const text = draft[field].trim();
    if (!/^\d*$/.test(text) || Number(text) > MAX_SECONDS) faults[field] = "seconds";
  }
  return faults;
}

/** The rule that a draft without faults describes; fields that its kind does not have are left out. */
export function settingsOf(draft: RuleDraft, fields: KindFields): RuleSettings {
  const above = fields.above === undefined ? undefined : number(draft.above);
  const below = fields.below === undefined ? undefined : number(draft.below);
  const unit = fields.units === undefined ? "" : draft.unit.trim();
  return {
    kind: draft.kind,
    severity: draft.severity,
    enabled: draft.enabled,
    ...(draft.name.trim() === "" ? {} : { name: draft.name.trim() }),
    ...(hasDomain(fields) && draft.d !== "" ? { d: draft.d } : {}),
    ...(hasEndpoint(fields)
      ? { ep: draft.ep.trim() || (fields.watches === "endpoint-or-all" ? "" : "*") }
      : {}),
    ...(hasEndpoint(fields) && draft.tags.length > 0 ? { tags: [...draft.tags] } : {}),
    ...(hasPath(fields) ? { path: draft.path.trim() || "*" } : {}),
    ...(above === undefined ? {} : { above }),
    ...(below === undefined ? {} : { below }),
    ...(hasPath(fields) ? { hysteresis: number(draft.hysteresis) ?? 0 } : {}),
    ...(unit === "" ? {} : { unit }),
    holdSeconds: Number(draft.holdSeconds.trim()),
    clearSeconds: Number(draft.clearSeconds.trim()),
  };
}

/** The settings of a rule as a request sends them back. */
export function settingsOfRule({ id: _id, source: _source, ...settings }: Rule): RuleSettings {
  return settings;
}

function isNumber(text: string): boolean {
  return text.trim() === "" || Number.isFinite(parsed(text));
}

function number(text: string): number | undefined {
  return text.trim() === "" || !isNumber(text) ? undefined : parsed(text);
}

/** Accepts a decimal comma, as on German keyboards. */
function parsed(text: string): number {
  return Number(text.trim().replace(/^(-?\d+),(\d+)$/, "$1.$2"));
}
