import { Button, Modal, Text, TextInput } from "@mantine/core";
import { useState, type FormEvent, type ReactNode } from "react";
import { useAction } from "../../hooks/loaded";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { useMessages } from "../../hooks/messages";
import type { Alarm } from "./api";
import { messages } from "./messages";
import { alarmText } from "../../text/alarmKinds";

interface Asked {
  /** The action's effect. */
  meaning: string;
  confirm: string;
  /** Fields of the action, above the note. */
  fields?: ReactNode;
  /** A rejection is shown, and the dialog stays open. */
  onConfirm: (alarm: Alarm, note: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for a note before an action on an alarm; open while there is an alarm. */
export function AlarmDialog({
  alarm,
  title,
  ...asked
}: Asked & { alarm: Alarm | undefined; title: string }) {
  const words = useMessages(messages);
  return (
    <Modal
      opened={alarm !== undefined}
      onClose={asked.onClose}
      title={title}
      // A script would lock scrolling with an inline style.
      lockScroll={false}
      closeButtonProps={{ "aria-label": words.close }}
    >
      {alarm !== undefined && <AlarmForm key={alarm.id} alarm={alarm} {...asked} />}
    </Modal>
  );
}

function AlarmForm({
  alarm,
  meaning,
  confirm,
  fields,
  onConfirm,
  onClose,
}: Asked & { alarm: Alarm }) {
  const words = useMessages(messages);
  const [note, setNote] = useState("");
  const { busy, problem, run } = useAction(async () => {
    await onConfirm(alarm, note.trim());
    onClose();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run();
  };
  return (
    <form className="dialog" data-dialog onSubmit={submit}>
      <Text>{alarmText(alarm)}</Text>
      <Text size="sm" c="dimmed">
        {meaning}
      </Text>
      <ErrorAlert problem={problem} />
      {fields}
      <TextInput
        label={words.note}
        maxLength={500}
        data-autofocus={fields === undefined || undefined}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <div className="dialog-buttons">
        <Button variant="default" onClick={onClose}>
          {words.cancel}
        </Button>
        <Button type="submit" className="main-button" color="cyan.9" loading={busy}>
          {confirm}
        </Button>
      </div>
    </form>
  );
}
