import type { AlarmKind, AlarmKindText } from "../gateway/alarmKinds";
import type { Schemas } from "../gateway/schemas";
import { language } from "./language";

/** The description of an alarm, in the chosen language. */
export function alarmText({ texts }: Pick<Schemas["Alarm"], "texts">): string {
  return texts[language()];
}

/** The texts of a kind of alarm in the chosen language; undefined for an unknown kind. */
export function alarmKindText(
  kinds: readonly AlarmKind[] | undefined,
  kind: string,
): AlarmKindText | undefined {
  return kinds?.find((one) => one.kind === kind)?.texts[language()];
}

/** The name of a kind of alarm in the chosen language; the API's own name for an unknown kind. */
export function alarmKindName(kinds: readonly AlarmKind[] | undefined, kind: string): string {
  return alarmKindText(kinds, kind)?.name ?? kind;
}
