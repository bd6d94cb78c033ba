import { Button, Group, Modal, Stack } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { useMessages } from "../hooks/messages";
import { ErrorAlert } from "./ErrorAlert";
import { partsMessages } from "./messages";

/**
 * Asks before a destructive action. The children name the loss.
 *
 * @param onConfirm a rejection is shown, and the dialog stays open
 */
export function ConfirmDialog({
  opened,
  title,
  confirm,
  harmless,
  ready = true,
  onConfirm,
  onClose,
  children,
}: {
  opened: boolean;
  title: string;
  confirm: string;
  harmless?: boolean;
  /** Whether all inputs that the children request are complete. */
  ready?: boolean;
  onConfirm: () => Promise<void>;
  onClose: () => void;
  children: ReactNode;
}) {
  const texts = useMessages(partsMessages);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const close = () => {
    setProblem(undefined);
    onClose();
  };
  const act = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await onConfirm();
      close();
    } catch (reason) {
      setProblem(reason);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={title}
      // The style sheet locks scrolling; a script would need an inline style.
      lockScroll={false}
      closeButtonProps={{ "aria-label": texts.close }}
    >
      <Stack gap="md" data-dialog>
        <div>{children}</div>
        <ErrorAlert problem={problem} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {texts.cancel}
          </Button>
          <Button
            color={harmless === true ? "cyan.9" : "red.8"}
            loading={busy}
            disabled={!ready}
            onClick={() => void act()}
          >
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
