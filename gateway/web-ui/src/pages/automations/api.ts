import type { Api } from "../../gateway/api";
import type { Schemas } from "../../gateway/schemas";

export type Automation = Schemas["Automation"];
export type AutomationList = Schemas["Automations"];
export type Choices = AutomationList["domains"][number];
export type Condition = Automation["conditions"][number];
export type Action = Automation["actions"][number];
export type Schedule = NonNullable<Automation["schedule"]>;
export type State = Automation["status"]["state"];
export type Run = Schemas["AutomationRun"];
export type Cause = Run["causes"][number];
export type Result = Run["results"][number];
export type DryRun = Schemas["DryRun"];
/** The members of an automation that a request sets. */
export type AutomationSettings = Omit<Schemas["AutomationBody"], "id" | "saved" | "status">;

export const CONDITION_KINDS = [
  "value",
  "rate",
  "age",
] as const satisfies readonly Condition["kind"][];
export const ACTION_KINDS = [
  "command",
  "webhook",
  "mqtt",
] as const satisfies readonly Action["kind"][];
export const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

export function listAutomations(api: Api): Promise<AutomationList> {
  return api.json("api/automations") as Promise<AutomationList>;
}

/** An automation with the entity tag of its present version. */
export async function readAutomation(
  api: Api,
  id: string,
): Promise<{ automation: Automation; tag: string }> {
  const { json, tag } = await api.tagged(pathOf(id));
  return { automation: json as Automation, tag };
}

/** @param tag of the version that the change is based on; undefined: the automation is new */
export function putAutomation(
  api: Api,
  id: string,
  to: AutomationSettings,
  tag: string | undefined,
): Promise<unknown> {
  return api.send("PUT", pathOf(id), to, tag ?? '"0"');
}

export async function removeAutomation(api: Api, id: string): Promise<void> {
  await api.send("DELETE", pathOf(id));
}

export async function listRuns(api: Api, id: string): Promise<Run[]> {
  return ((await api.json(`${pathOf(id)}/runs`)) as Schemas["AutomationRuns"]).runs;
}

export function dryRun(
  api: Api,
  id: string,
  automation: AutomationSettings,
  days: number,
): Promise<DryRun> {
  return api.send("POST", "api/automations/dry-run", {
    automation: { ...automation, id },
    days,
  }) as Promise<DryRun>;
}

function pathOf(id: string): string {
  return `api/automations/${encodeURIComponent(id)}`;
}
