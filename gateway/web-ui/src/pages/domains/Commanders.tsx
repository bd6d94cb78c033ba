import { Button, Modal, Textarea, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import {
  enrolCommander,
  listCommanders,
  removeCommander,
  type Commander,
} from "../../gateway/commanders";
import { useGateway } from "../../hooks/gateway";
import { useAction, useLast, useLoaded } from "../../hooks/loaded";
import { useSession } from "../../hooks/session";
import { ConfirmDialog } from "../../parts/ConfirmDialog";
import { CopyButton } from "../../parts/CopyButton";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { ThumbprintGroups } from "../../parts/ThumbprintGroups";
import { useMessages } from "../../hooks/messages";
import { hasRoleIn } from "../../gateway/roles";
import { moment } from "../../text/format";
import { KeyError, readKey, thumbprint } from "../../verify/jwk";
import { messages } from "./messages";

/** The keys that may sign commands in a domain; administrators add and remove the stored ones. */
export function Commanders({ domain }: { domain: string }) {
  const { api } = useGateway();
  const words = useMessages(messages);
  const mayEdit = hasRoleIn(useSession(), "administrator", domain === "-" ? "" : domain);
  const [adding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<Commander>();
  const shown = useLast(removed);
  const { data, problem, reload } = useLoaded(`commanders of ${domain}`, () =>
    listCommanders(api, domain),
  );
  return (
    <section data-commanders>
      <h3>{words.commanders}</h3>
      <ErrorAlert problem={problem} onRetry={reload} />
      {data?.length === 0 && <p>{words.noCommanders}</p>}
      <ul className="plain-list">
        {data?.map((one) => (
          <li key={one.thumbprint} data-commander={one.thumbprint}>
            <span className="key" title={one.thumbprint}>
              <ThumbprintGroups thumbprint={one.thumbprint} first={3} />
              <CopyButton text={one.thumbprint} what={words.thumbprint} />
              <bdi>{one.name}</bdi>
              {mayEdit && one.source === "store" && (
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={`${words.removeKey}: ${one.name ?? one.thumbprint}`}
                  onClick={() => setRemoved(one)}
                >
                  {words.removeKey}
                </Button>
              )}
            </span>
            <small className="under">
              {one.source === "file"
                ? words.keyOfFile
                : words.keyOfStore(one.by ?? "", moment(Date.parse(one.at ?? "")))}
            </small>
          </li>
        ))}
      </ul>
      {mayEdit && (
        <Button size="xs" variant="default" onClick={() => setAdding(true)}>
          {words.addKey}
        </Button>
      )}
      <Modal
        opened={adding}
        onClose={() => setAdding(false)}
        title={words.addKey}
        lockScroll={false}
        closeButtonProps={{ "aria-label": words.cancel }}
      >
        <KeyForm domain={domain} onClose={() => setAdding(false)} onSaved={reload} />
      </Modal>
      <ConfirmDialog
        opened={removed !== undefined}
        title={words.removeKeyTitle}
        confirm={words.removeKey}
        onClose={() => setRemoved(undefined)}
        onConfirm={async () => {
          if (removed !== undefined) await removeCommander(api, domain, removed.thumbprint);
          reload();
        }}
      >
        {words.removeKeyWhat(shown?.name ?? shown?.thumbprint ?? "")}
      </ConfirmDialog>
    </section>
  );
}

function KeyForm({
  domain,
  onClose,
  onSaved,
}: {
  domain: string;
  onClose: () => void;
  onSaved: () => void;
}) {
  const { api } = useGateway();
  const words = useMessages(messages);
  const [text, setText] = useState("");
  const [name, setName] = useState("");
  const [fault, setFault] = useState<string>();
  const save = useAction(async () => {
    setFault(undefined);
    try {
      const parsed: unknown = JSON.parse(text);
      if ((parsed as { d?: unknown } | null)?.d !== undefined) {
        setFault(words.privateKey);
        return;
      }
      const jwk = readKey(parsed);
      await enrolCommander(api, domain, await thumbprint(jwk, crypto.subtle), jwk, name);
    } catch (reason) {
      if (!(reason instanceof SyntaxError || reason instanceof KeyError)) throw reason;
      setFault(words.badKey);
      return;
    }
    onSaved();
    onClose();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save.run();
  };
  return (
    <form className="dialog" data-dialog onSubmit={submit} noValidate data-form="commander">
      <ErrorAlert problem={save.problem} />
      <Textarea
        data-autofocus
        label={words.publicJwk}
        description={words.publicJwkHelp}
        error={fault}
        rows={4}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <TextInput
        label={words.keyName}
        value={name}
        maxLength={100}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <div className="dialog-buttons">
        <Button variant="default" onClick={onClose}>
          {words.cancel}
        </Button>
        <Button type="submit" className="main-button" color="cyan.9" loading={save.busy}>
          {words.addKey}
        </Button>
      </div>
    </form>
  );
}
