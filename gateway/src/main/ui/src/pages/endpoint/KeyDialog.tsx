import { Button, Checkbox, Divider, Modal, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { CodeBlock } from "../../parts/CodeBlock";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { useMessages } from "../../shell/messages";
import type { CommanderKey } from "../../sign/command";
import { importCommander, makeCommander } from "../../sign/commanderKeys";
import { KeyError, type PublicKey } from "../../verify/jwk";
import { endpointMessages } from "./messages";

/** Takes a pasted private key, or makes one whose secret nobody can read. */
export function KeyDialog({
  opened,
  onClose,
  onAdd,
}: {
  opened: boolean;
  onClose: () => void;
  onAdd: (commander: CommanderKey, onlyNow: boolean) => Promise<void>;
}) {
  const texts = useMessages(endpointMessages);
  const [pasted, setPasted] = useState("");
  const [onlyNow, setOnlyNow] = useState(false);
  const [fault, setFault] = useState<string>();
  const [problem, setProblem] = useState<unknown>();
  const [made, setMade] = useState<PublicKey>();
  const close = () => {
    // The secret stays nowhere, not even in a closed dialog.
    setPasted("");
    setFault(undefined);
    setProblem(undefined);
    setMade(undefined);
    onClose();
  };
  const attempt = async (action: () => Promise<void>) => {
    setFault(undefined);
    setProblem(undefined);
    try {
      await action();
    } catch (reason) {
      if (reason instanceof KeyError) setFault(texts.badKey(reason.message));
      else setProblem(reason);
    }
  };
  const addPasted = async () => {
    await onAdd(await importCommander(pasted, crypto.subtle), onlyNow);
    close();
  };
  const make = async () => {
    const { commander, jwk } = await makeCommander(crypto.subtle);
    await onAdd(commander, false);
    setMade(jwk);
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={texts.addKeyTitle}
      lockScroll={false}
      closeButtonProps={{ "aria-label": texts.cancel }}
    >
      {made !== undefined ? (
        <Stack gap="sm" data-dialog>
          <Text size="sm">{texts.madeWhat}</Text>
          <CodeBlock text={JSON.stringify(made)} what={texts.publicKey} wrap />
        </Stack>
      ) : (
        <Stack gap="sm" data-dialog>
          <Textarea
            data-autofocus
            label={texts.paste}
            description={texts.pasteHint}
            error={fault}
            rows={4}
            spellCheck={false}
            autoComplete="off"
            value={pasted}
            onChange={(event) => setPasted(event.currentTarget.value)}
          />
          <Checkbox
            label={texts.onlyNow}
            checked={onlyNow}
            onChange={(event) => setOnlyNow(event.currentTarget.checked)}
          />
          <ErrorAlert problem={problem} />
          <Button color="cyan.9" disabled={pasted === ""} onClick={() => void attempt(addPasted)}>
            {texts.addPasted}
          </Button>
          <Divider label={texts.or} />
          <Button variant="default" onClick={() => void attempt(make)}>
            {texts.make}
          </Button>
        </Stack>
      )}
    </Modal>
  );
}
