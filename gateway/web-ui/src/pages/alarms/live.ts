import type { Alarm, AlarmFilter, AlarmPage } from "./api";
import { alarmText } from "../../text/alarmKinds";

/** Whether the gateway would list an alarm under a filter. */
export function fits(alarm: Alarm, filter: AlarmFilter): boolean {
  return (
    (filter.state === "all" || (filter.state === "cleared") === (alarm.state === "cleared")) &&
    (filter.severity === "" || filter.severity === alarm.severity) &&
    (filter.kind === "" || filter.kind === alarm.kind) &&
    alarmText(alarm).toLowerCase().includes(filter.text.trim().toLowerCase())
  );
}

/** The listed alarms after one of them changed, or a new one was raised. */
export function withAlarm(page: AlarmPage, changed: Alarm, filter: AlarmFilter): AlarmPage {
  const others = page.alarms.filter(({ id }) => id !== changed.id);
  if (!fits(changed, filter)) return { ...page, alarms: others };
  const last = page.alarms.at(-1);
  // Alarms that sort after the last loaded one come with the next page.
  if (page.next !== undefined && last !== undefined && changed.id < last.id) return page;
  const alarms = [...others, changed].sort((one, other) => (one.id < other.id ? 1 : -1));
  return { ...page, alarms };
}

/** The listed alarms and the following page. */
export function joined(page: AlarmPage, following: AlarmPage): AlarmPage {
  const known = new Set(page.alarms.map(({ id }) => id));
  return {
    ...following,
    alarms: [...page.alarms, ...following.alarms.filter(({ id }) => !known.has(id))],
  };
}
