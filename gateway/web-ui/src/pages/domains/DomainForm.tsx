import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { fieldFault } from "../../gateway/fieldFault";
import { useGateway } from "../../hooks/gateway";
import { useAction } from "../../hooks/loaded";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { useMessages } from "../../hooks/messages";
import { putDomain, type Domain } from "./api";
import {
  draftOf,
  DURATIONS,
  faultyDurations,
  faultyNumbers,
  FLAGS,
  inForce,
  LISTS,
  MEMBERS,
  NUMBERS,
  settingsOf,
  type Member,
} from "./draft";
import { messages } from "./messages";
import { nameFault, typedName } from "./name";

/** Settings of a domain that administrators store. Members in the settings file are read-only. */
export function DomainForm({
  edited,
  onClose,
  onSaved,
}: {
  /** Undefined for a new domain. */
  edited: { domain: Domain; tag: string } | undefined;
  onClose: () => void;
  onSaved: () => void;
}) {
  const { api } = useGateway();
  const words = useMessages(messages);
  const domain = edited?.domain;
  const [name, setName] = useState(domain?.name ?? "");
  const [draft, setDraft] = useState(draftOf(domain?.stored));
  const [sent, setSent] = useState(false);
  const save = useAction(async () => {
    // Version 0: a new domain must not exist.
    await putDomain(api, domain?.name ?? typedName(name), settingsOf(draft), edited?.tag ?? '"0"');
    onSaved();
    onClose();
  });
  const faultyCounts = faultyNumbers(draft);
  const faultyTimes = faultyDurations(draft);
  const refused = fieldFault(save.problem, MEMBERS);
  const badName = domain === undefined ? nameFault(typedName(name)) : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (badName === undefined && faultyCounts.size + faultyTimes.size === 0) void save.run();
  };
  const field = (member: Member) => {
    const fromFile = domain?.fileMembers.includes(member) === true;
    const present = domain === undefined ? "" : inForce(domain, member);
    return {
      label: words.member[member],
      description: fromFile ? words.fromFile(present) : undefined,
      disabled: fromFile,
      value: draft[member],
      error:
        refused?.field === member
          ? refused.fault
          : sent && faultyCounts.has(member)
            ? words.notANumber
            : sent && faultyTimes.has(member)
              ? words.notADuration
              : undefined,
      onChange: (event: { currentTarget: { value: string } }) => {
        const { value } = event.currentTarget;
        save.forget();
        setDraft((before) => ({ ...before, [member]: value }));
      },
    };
  };
  return (
    <form className="dialog" data-dialog onSubmit={submit} noValidate data-form="domain">
      {refused === undefined && <ErrorAlert problem={save.problem} />}
      {edited === undefined && (
        <TextInput
          label={words.name}
          value={name}
          data-autofocus
          autoCapitalize="none"
          error={sent && badName !== undefined ? words.nameFault[badName] : undefined}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
      <p className="dimmed">{words.formHelp}</p>
      <div className="form-grid">
        <NativeSelect
          {...field("trust")}
          data={[
            { value: "", label: words.byDefault },
            ...(["first-use", "approve", "listed"] as const).map((value) => ({
              value,
              label: words.trust[value],
            })),
          ]}
        />
        {FLAGS.map((member) => (
          <NativeSelect
            key={member}
            {...field(member)}
            data={[
              { value: "", label: words.byDefault },
              { value: "true", label: words.flag[member].true },
              { value: "false", label: words.flag[member].false },
            ]}
          />
        ))}
        {[...LISTS, ...DURATIONS, ...NUMBERS].map((member) => (
          <TextInput
            key={member}
            {...field(member)}
            placeholder={domain === undefined ? "" : inForce(domain, member)}
            inputWrapperOrder={["label", "input", "description", "error"]}
            autoComplete="off"
          />
        ))}
      </div>
      <div className="dialog-buttons">
        <Button variant="default" onClick={onClose}>
          {words.cancel}
        </Button>
        <Button type="submit" className="main-button" color="cyan.9" loading={save.busy}>
          {words.save}
        </Button>
      </div>
    </form>
  );
}
