import { Button, Checkbox, Divider, Modal, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { CodeBlock } from "../../parts/CodeBlock";
import { enrolCommander, listCommanders } from "../../gateway/commanders";
import { useGateway } from "../../hooks/gateway";
import { useSession } from "../../hooks/session";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { useMessages } from "../../hooks/messages";
import type { CommanderKey } from "../../sign/command";
import { importCommander, makeCommander, type KeyWithPublicHalf } from "../../sign/commanderKeys";
import { hasRoleIn } from "../../gateway/roles";
import { KeyError } from "../../verify/jwk";
import { commandMessages } from "./commandMessages";

/**
 * Accepts a pasted private key, or creates one whose secret nobody can read; administrators enrol
 * it.
 */
export function KeyDialog({
  d,
  opened,
  onClose,
  onAdd,
}: {
  /** Domain of the endpoint. */
  d: string;
  opened: boolean;
  onClose: () => void;
  onAdd: (commander: CommanderKey, onlyNow: boolean) => Promise<void>;
}) {
  const texts = useMessages(commandMessages);
  const [pasted, setPasted] = useState("");
  const [onlyNow, setOnlyNow] = useState(false);
  const [fault, setFault] = useState<string>();
  const [problem, setProblem] = useState<unknown>();
  const [made, setMade] = useState<KeyWithPublicHalf>();
  const { api } = useGateway();
  const session = useSession();
  const domain = d === "" ? "-" : d;
  const mayEnrol = hasRoleIn(session, "administrator", d);
  const close = () => {
    // The secret is not kept anywhere, not even in a closed dialog.
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
    const added = await importCommander(pasted, crypto.subtle);
    await onAdd(added.commander, onlyNow);
    if (mayEnrol && !(await isEnrolled(added.commander.kid))) {
      setPasted("");
      setMade(added);
    } else close();
  };
  const isEnrolled = async (kid: string) =>
    (await listCommanders(api, domain)).some(({ thumbprint }) => thumbprint === kid);
  const make = async () => {
    const added = await makeCommander(crypto.subtle);
    await onAdd(added.commander, false);
    setMade(added);
  };
  const enrol = async () => {
    if (made === undefined) return;
    const name = session.state === "signed-in" ? texts.browserOf(session.account.name) : "";
    await enrolCommander(api, domain, made.commander.kid, made.jwk, name);
    close();
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
          <Text size="sm">{mayEnrol ? texts.enrolWhat(domain) : texts.madeWhat}</Text>
          <CodeBlock text={JSON.stringify(made.jwk)} what={texts.publicKey} wrap />
          <ErrorAlert problem={problem} />
          {mayEnrol && (
            <Button color="cyan.9" onClick={() => void attempt(enrol)}>
              {texts.enrol}
            </Button>
          )}
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
