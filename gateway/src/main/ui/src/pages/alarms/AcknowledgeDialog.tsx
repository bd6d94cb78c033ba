import { Button, Modal, Text, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { useGateway } from "../../hooks/gateway";
import { useAction } from "../../hooks/loaded";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { useMessages } from "../../shell/messages";
import { acknowledge, type Alarm } from "./api";
import { messages } from "./messages";

/** Asks for a note; open while there is an alarm. */
export function AcknowledgeDialog({
  alarm,
  onClose,
  onDone,
}: {
  alarm: Alarm | undefined;
  onClose: () => void;
  onDone: (alarm: Alarm) => void;
}) {
  const words = useMessages(messages);
  return (
    <Modal
      opened={alarm !== undefined}
      onClose={onClose}
      title={words.acknowledgeTitle}
      // A script would lock scrolling with an inline style.
      lockScroll={false}
      closeButtonProps={{ "aria-label": words.close }}
    >
      {alarm !== undefined && (
        <AcknowledgeForm key={alarm.id} alarm={alarm} onClose={onClose} onDone={onDone} />
      )}
    </Modal>
  );
}

function AcknowledgeForm({
  alarm,
  onClose,
  onDone,
}: {
  alarm: Alarm;
  onClose: () => void;
  onDone: (alarm: Alarm) => void;
}) {
  const { api } = useGateway();
  const words = useMessages(messages);
  const [note, setNote] = useState("");
  const { busy, problem, run } = useAction(async () => {
    onDone(await acknowledge(api, alarm.id, note.trim()));
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
        {words.acknowledgeMeaning}
      </Text>
      <ErrorAlert problem={problem} />
      <TextInput
        label={words.note}
        maxLength={500}
        data-autofocus
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <div className="dialog-buttons">
        <Button variant="default" onClick={onClose}>
          {words.cancel}
        </Button>
        <Button type="submit" className="main-button" color="cyan.9" loading={busy}>
          {words.acknowledge}
        </Button>
      </div>
    </form>
  );
}
