import { useGateway } from "../../hooks/gateway";
import { useMessages } from "../../hooks/messages";
import { AlarmDialog } from "./AlarmDialog";
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
  const { api } = useGateway();
  const words = useMessages(messages);
  return (
    <AlarmDialog
      alarm={alarm}
      title={words.acknowledgeTitle}
      meaning={words.acknowledgeMeaning}
      confirm={words.acknowledge}
      onConfirm={async ({ id }, note) => onDone(await acknowledge(api, id, note))}
      onClose={onClose}
    />
  );
}
