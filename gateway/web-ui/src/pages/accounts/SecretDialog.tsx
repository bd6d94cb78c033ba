import { Button, Modal, Text } from "@mantine/core";
import { CopyButton } from "../../parts/CopyButton";
import { useMessages } from "../../hooks/messages";
import { messages } from "./messages";

/** A secret that the gateway shows only once, and the account or token that it belongs to. */
export interface Secret {
  kind: "password" | "token";
  of: string;
  text: string;
}

/**
 * Shows a secret until the user confirms saving it; a stray click or key does not close the dialog.
 */
export function SecretDialog({
  secret,
  onClose,
}: {
  secret: Secret | undefined;
  onClose: () => void;
}) {
  const { secret: words } = useMessages(messages);
  const ofPassword = secret?.kind === "password";
  return (
    <Modal
      opened={secret !== undefined}
      onClose={onClose}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      // A script would lock scrolling with an inline style.
      lockScroll={false}
      // The secret must disappear with the dialog.
      transitionProps={{ duration: 0 }}
      title={(ofPassword ? words.passwordTitle : words.tokenTitle)(secret?.of ?? "")}
    >
      <div className="dialog" data-dialog>
        <div className="thumbprint">
          <code data-secret>{secret?.text}</code>
          <CopyButton text={secret?.text ?? ""} what={ofPassword ? words.password : words.token} />
        </div>
        <Text size="sm">{ofPassword ? words.passwordUse : words.tokenUse}</Text>
        <div className="dialog-buttons">
          <Button className="main-button" color="cyan.9" onClick={onClose}>
            {words.done}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
