import { Checkbox, Select, Switch, TextInput } from "@mantine/core";
import { useMessages } from "../../hooks/messages";
import { DAYS, type Schedule } from "./api";
import { newSchedule } from "./drafts";
import { DROPDOWN, SUGGESTED, type Part } from "./fields";
import { messages } from "./messages";

const OWN_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;
const ZONES = [...new Set([OWN_ZONE, "UTC", ...Intl.supportedValuesOf("timeZone")])];

/** The times at which the automation may act. */
export function ScheduleFields({ draft, change: changeAll, faultAt }: Part) {
  const words = useMessages(messages);
  const schedule = draft.schedule;
  const change = (part: Partial<Schedule>) =>
    schedule !== undefined && changeAll({ schedule: { ...schedule, ...part } });
  return (
    <>
      <Switch
        color="cyan.9"
        label={words.scheduled}
        checked={schedule !== undefined}
        onChange={(event) =>
          changeAll({ schedule: event.currentTarget.checked ? newSchedule(OWN_ZONE) : undefined })
        }
      />
      {schedule !== undefined && (
        <fieldset className="field-group automation-item" data-schedule>
          <legend>{words.field.days}</legend>
          <div className="automation-days">
            {DAYS.map((day) => (
              <Checkbox
                key={day}
                color="cyan.9"
                label={words.day[day]}
                checked={schedule.days.includes(day)}
                onChange={(event) => {
                  const on = event.currentTarget.checked;
                  change({
                    days: DAYS.filter((one) => (one === day ? on : schedule.days.includes(one))),
                  });
                }}
              />
            ))}
          </div>
          {faultAt("schedule.days") !== undefined && (
            <p className="automation-fault" role="alert">
              {faultAt("schedule.days")}
            </p>
          )}
          <div className="form-grid automation-times">
            <TextInput
              type="time"
              label={words.field.from}
              value={schedule.from}
              error={faultAt("schedule.from")}
              onChange={(event) => change({ from: event.currentTarget.value })}
            />
            <TextInput
              type="time"
              label={words.field.to}
              description={words.help.to}
              inputWrapperOrder={["label", "input", "description", "error"]}
              value={schedule.to}
              error={faultAt("schedule.to")}
              onChange={(event) => change({ to: event.currentTarget.value })}
            />
            <Select
              label={words.field.zone}
              value={schedule.zone}
              error={faultAt("schedule.zone")}
              onChange={(zone) => zone !== null && change({ zone })}
              data={ZONES.includes(schedule.zone) ? ZONES : [schedule.zone, ...ZONES]}
              limit={SUGGESTED}
              searchable
              comboboxProps={DROPDOWN}
            />
          </div>
        </fieldset>
      )}
    </>
  );
}
