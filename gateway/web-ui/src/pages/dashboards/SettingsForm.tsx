import { Button, Modal, NativeSelect, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { fieldFault } from "../../gateway/fieldFault";
import { hasRoleEverywhere } from "../../gateway/roles";
import { useDomainNames } from "../../hooks/domains";
import { useAction } from "../../hooks/loaded";
import { useMessages } from "../../hooks/messages";
import { useSession } from "../../hooks/session";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { idOf } from "../../text/ids";
import type { Dashboard } from "./api";
import { messages } from "./messages";

export type BoardSettings = Pick<Dashboard, "id" | "name" | "d">;

const ID = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** Name, id and domain of a new or existing dashboard, in a dialog. */
export function SettingsDialog({
  opened,
  present,
  taken = [],
  onClose,
  onSave,
}: {
  opened: boolean;
  /** Undefined: a new one. */
  present?: BoardSettings;
  taken?: readonly string[];
  onClose: () => void;
  onSave: (settings: BoardSettings) => Promise<void>;
}) {
  const words = useMessages(messages);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={present === undefined ? words.addTitle : words.settingsTitle}
      // A script would lock scrolling with an inline style.
      lockScroll={false}
      closeButtonProps={{ "aria-label": words.close }}
    >
      {opened && (
        <SettingsForm
          {...(present === undefined ? {} : { present })}
          taken={taken}
          onClose={onClose}
          onSave={onSave}
        />
      )}
    </Modal>
  );
}

function SettingsForm({
  present,
  taken,
  onClose,
  onSave,
}: {
  present?: BoardSettings;
  taken: readonly string[];
  onClose: () => void;
  onSave: (settings: BoardSettings) => Promise<void>;
}) {
  const words = useMessages(messages);
  const domains = useDomainNames();
  const everywhere = hasRoleEverywhere(useSession(), "operator");
  const [name, setName] = useState(present?.name ?? "");
  const [id, setId] = useState(present?.id ?? "");
  const [chosen, setChosen] = useState(present?.d);
  const [sent, setSent] = useState(false);
  // An operator of some domains cannot make a dashboard that shows every domain.
  const d = chosen ?? (everywhere ? "" : (domains[0] ?? ""));
  const names = [...new Set([...domains, ...(d === "" ? [] : [d])])];
  const save = useAction(async () => {
    const title = name.trim() === "" ? id : name.trim();
    await onSave({ id, name: title, ...(d === "" ? {} : { d }) });
    onClose();
  });
  const isNew = present === undefined;
  const fault = !isNew
    ? undefined
    : !ID.test(id)
      ? words.fault.id
      : taken.includes(id)
        ? words.fault.taken
        : undefined;
  const refused = fieldFault(save.problem, ["name", "id", "d"]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (fault === undefined) void save.run();
  };
  return (
    <form className="dialog" data-dialog onSubmit={submit} noValidate data-form="dashboard">
      {refused === undefined && <ErrorAlert problem={save.problem} />}
      <TextInput
        label={words.field.name}
        data-autofocus
        value={name}
        maxLength={100}
        autoComplete="off"
        error={refused?.field === "name" ? refused.fault : undefined}
        onChange={(event) => {
          const typed = event.currentTarget.value;
          if (isNew && id === idOf(name)) setId(idOf(typed));
          setName(typed);
        }}
      />
      <TextInput
        label={words.field.id}
        description={words.help.id}
        inputWrapperOrder={["label", "input", "description", "error"]}
        value={id}
        disabled={!isNew}
        autoComplete="off"
        error={refused?.field === "id" ? refused.fault : sent ? fault : undefined}
        onChange={(event) => setId(event.currentTarget.value)}
      />
      <NativeSelect
        label={words.field.d}
        description={words.help.d}
        inputWrapperOrder={["label", "input", "description", "error"]}
        value={d}
        error={refused?.field === "d" ? refused.fault : undefined}
        onChange={(event) => setChosen(event.currentTarget.value)}
        data={[
          ...(everywhere || d === "" ? [{ value: "", label: words.everyDomain }] : []),
          ...names.map((value) => ({
            value,
            label: value === "-" ? words.namelessDomain : value,
          })),
        ]}
      />
      <div className="dialog-buttons">
        <Button variant="default" onClick={onClose}>
          {words.cancel}
        </Button>
        <Button type="submit" className="main-button" color="cyan.9" loading={save.busy}>
          {isNew ? words.create : words.applyTile}
        </Button>
      </div>
    </form>
  );
}
