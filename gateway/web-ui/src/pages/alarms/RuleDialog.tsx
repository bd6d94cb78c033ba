import { Modal } from "@mantine/core";
import type { AlarmKind } from "../../gateway/alarmKinds";
import { useMessages } from "../../hooks/messages";
import { messages } from "./messages";
import { RuleForm } from "./RuleForm";
import type { Edited } from "./rules";

export function RuleDialog({
  edited,
  kinds,
  taken,
  onClose,
  onSaved,
}: {
  edited: Edited | undefined;
  kinds: readonly AlarmKind[];
  taken: ReadonlySet<string>;
  onClose: () => void;
  onSaved: () => void;
}) {
  const words = useMessages(messages);
  return (
    <Modal
      opened={edited !== undefined}
      onClose={onClose}
      size="lg"
      title={
        edited?.tag === undefined
          ? words.addTitle
          : words.editTitle(edited.draft.name || edited.draft.id)
      }
      // A script would lock scrolling with an inline style.
      lockScroll={false}
      closeButtonProps={{ "aria-label": words.close }}
    >
      {edited !== undefined && (
        <RuleForm edited={edited} kinds={kinds} taken={taken} onClose={onClose} onSaved={onSaved} />
      )}
    </Modal>
  );
}
