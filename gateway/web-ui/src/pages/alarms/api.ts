import type { Api } from "../../gateway/api";
import type { Schemas } from "../../gateway/schemas";

export const SEVERITIES = ["critical", "warning", "info"] as const satisfies readonly Severity[];
export type Severity = Alarm["severity"];

export type Alarm = Schemas["Alarm"];
export type AlarmPage = Schemas["Alarms"];
/** Absent members match every alarm. */
export type Silence = Schemas["Silence"];
export type Rule = Schemas["Rule"];
/** The members of a rule that a request sets. */
export type RuleSettings = Omit<Schemas["RuleBody"], "id" | "source">;

export interface AlarmFilter {
  state: "open" | "cleared" | "all";
  severity: Severity | "";
  kind: string;
  text: string;
}

export type SilenceScope = NonNullable<Schemas["SilenceRequest"]["scope"]>;

export function listAlarms(api: Api, filter: AlarmFilter, after?: string): Promise<AlarmPage> {
  const query = new URLSearchParams();
  if (filter.state !== "all") query.set("state", filter.state);
  if (filter.severity !== "") query.set("severity", filter.severity);
  if (filter.kind !== "") query.set("kind", filter.kind);
  if (filter.text.trim() !== "") query.set("text", filter.text.trim());
  if (after !== undefined) query.set("after", after);
  return api.json(`api/alarms?${query}`) as Promise<AlarmPage>;
}

export function acknowledge(api: Api, id: string, note: string): Promise<Alarm> {
  return api.send("POST", `${alarm(id)}/acknowledge`, { note }) as Promise<Alarm>;
}

export function silence(api: Api, id: string, wanted: Schemas["SilenceRequest"]): Promise<Silence> {
  return api.send("POST", `${alarm(id)}/silence`, wanted) as Promise<Silence>;
}

export async function listSilences(api: Api): Promise<Silence[]> {
  return ((await api.json("api/alarm-silences")) as Schemas["Silences"]).silences;
}

export async function endSilence(api: Api, id: string): Promise<void> {
  await api.send("DELETE", `api/alarm-silences/${encodeURIComponent(id)}`);
}

export async function listRules(api: Api): Promise<Rule[]> {
  return ((await api.json("api/alarm-rules")) as Schemas["Rules"]).rules;
}

/** A rule with the entity tag of its present version. */
export async function readRule(api: Api, id: string): Promise<{ rule: Rule; tag: string }> {
  const { json, tag } = await api.tagged(rule(id));
  return { rule: json as Rule, tag };
}

/** @param tag of the version that the change is based on; undefined: the rule is new */
export function putRule(
  api: Api,
  id: string,
  to: RuleSettings,
  tag: string | undefined,
): Promise<unknown> {
  return api.send("PUT", rule(id), to, tag ?? '"0"');
}

export async function removeRule(api: Api, id: string): Promise<void> {
  await api.send("DELETE", rule(id));
}

function alarm(id: string): string {
  return `api/alarms/${encodeURIComponent(id)}`;
}

function rule(id: string): string {
  return `api/alarm-rules/${encodeURIComponent(id)}`;
}
