import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import { useGateway } from "../../hooks/gateway";
import { useMessages } from "../../hooks/messages";
import { moment } from "../../text/format";
import { AlarmDialog } from "./AlarmDialog";
import { silence, type Alarm, type Silence, type SilenceScope } from "./api";
import { messages } from "./messages";

const HOURS = [1, 8, 24, 168, 744] as const;
type Hours = (typeof HOURS)[number];
const HOUR_SECONDS = 3600;

/** Asks which alarms to silence and for how long; open while there is an alarm. */
export function SilenceDialog({
  alarm,
  onClose,
  onDone,
}: {
  alarm: Alarm | undefined;
  onClose: () => void;
  onDone: (silence: Silence) => void;
}) {
  const { api } = useGateway();
  const words = useMessages(messages);
  const [chosen, setChosen] = useState<SilenceScope>();
  const [hours, setHours] = useState<Hours>(1);
  const scopes = alarm === undefined ? [] : scopesOf(alarm);
  const scope = chosen ?? scopes[0] ?? "rule";
  const seconds = hours * HOUR_SECONDS;
  const close = () => {
    setChosen(undefined);
    setHours(1);
    onClose();
  };
  return (
    <AlarmDialog
      alarm={alarm}
      title={words.silenceTitle}
      meaning={words.silenceMeaning}
      confirm={words.silence}
      onConfirm={async ({ id }, note) => onDone(await silence(api, id, { seconds, scope, note }))}
      onClose={close}
      fields={
        <>
          <NativeSelect
            data-autofocus
            label={words.scopeLabel}
            value={scope}
            onChange={(event) => setChosen(event.currentTarget.value as SilenceScope)}
            data={scopes.map((value) => ({ value, label: words.scope[value] }))}
          />
          <NativeSelect
            label={words.howLong}
            description={words.until(moment(api.now() + seconds * 1000))}
            value={hours}
            onChange={(event) => {
              const value = Number(event.currentTarget.value);
              setHours(HOURS.find((one) => one === value) ?? 1);
            }}
            data={HOURS.map((value) => ({ value: String(value), label: words.hours[value] }))}
          />
        </>
      }
    />
  );
}

/** Scopes of an alarm that can be silenced, the narrowest first. */
function scopesOf(alarm: Pick<Alarm, "d" | "ep">): SilenceScope[] {
  return [
    ...(alarm.ep === undefined ? [] : (["endpoint"] as const)),
    "rule",
    ...(alarm.d === undefined ? [] : (["domain"] as const)),
  ];
}
