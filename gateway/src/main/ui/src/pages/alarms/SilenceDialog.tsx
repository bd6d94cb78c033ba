import { Button, Modal, NativeSelect, Text, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { useGateway } from "../../hooks/gateway";
import { useAction } from "../../hooks/loaded";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { useMessages } from "../../shell/messages";
import { moment } from "../../text/format";
import { silence, type Alarm, type Silence, type SilenceScope } from "./api";
import { messages } from "./messages";

const HOURS = [1, 8, 24, 168, 744] as const;
const HOUR_SECONDS = 3600;

/** Asks which alarms shall be silent and how long; open while there is an alarm. */
export function SilenceDialog({
  alarm,
  onClose,
  onDone,
}: {
  alarm: Alarm | undefined;
  onClose: () => void;
  onDone: (silence: Silence) => void;
}) {
  const words = useMessages(messages);
  return (
    <Modal
      opened={alarm !== undefined}
      onClose={onClose}
      title={words.silenceTitle}
      // A script would lock scrolling with an inline style.
      lockScroll={false}
      closeButtonProps={{ "aria-label": words.close }}
    >
      {alarm !== undefined && (
        <SilenceForm key={alarm.id} alarm={alarm} onClose={onClose} onDone={onDone} />
      )}
    </Modal>
  );
}

/** Scopes of an alarm that can be silenced, the narrowest first. */
export function scopesOf(alarm: Pick<Alarm, "d" | "ep">): SilenceScope[] {
  return [
    ...(alarm.ep === undefined ? [] : (["endpoint"] as const)),
    "rule",
    ...(alarm.d === undefined ? [] : (["domain"] as const)),
  ];
}

function SilenceForm({
  alarm,
  onClose,
  onDone,
}: {
  alarm: Alarm;
  onClose: () => void;
  onDone: (silence: Silence) => void;
}) {
  const { api } = useGateway();
  const words = useMessages(messages);
  const scopes = scopesOf(alarm);
  const [scope, setScope] = useState<SilenceScope>(scopes[0] ?? "rule");
  const [hours, setHours] = useState<(typeof HOURS)[number]>(1);
  const [note, setNote] = useState("");
  const seconds = hours * HOUR_SECONDS;
  const { busy, problem, run } = useAction(async () => {
    onDone(await silence(api, alarm.id, { seconds, scope, note: note.trim() }));
    onClose();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run();
  };
  return (
    <form className="dialog" data-dialog onSubmit={submit}>
      <Text>{alarm.text}</Text>
      <Text size="sm" c="dimmed">
        {words.silenceMeaning}
      </Text>
      <ErrorAlert problem={problem} />
      <NativeSelect
        label={words.scopeLabel}
        value={scope}
        onChange={(event) => setScope(event.currentTarget.value as SilenceScope)}
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
      <TextInput
        label={words.note}
        maxLength={500}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <div className="dialog-buttons">
        <Button variant="default" onClick={onClose}>
          {words.cancel}
        </Button>
        <Button type="submit" className="main-button" color="cyan.9" loading={busy}>
          {words.silence}
        </Button>
      </div>
    </form>
  );
}
