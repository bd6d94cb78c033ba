import { Button, Textarea, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { ApiProblem } from "../../gateway/api";
import { useGateway } from "../../hooks/gateway";
import { useAction } from "../../hooks/loaded";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { useMessages } from "../../hooks/messages";
import { problemText } from "../../text/problems";
import { changeAccount, createAccount, type Account, type OneTimePassword } from "./api";
import { grantOf, linesOf, nameFault, textsOf, type Grant } from "./grants";
import { messages } from "./messages";
import { RolesInput } from "./RolesInput";

/** Creates an account, or changes the roles and identities of an account. */
export function AccountForm({
  edited,
  onClose,
  onSaved,
}: {
  /** Undefined for a new account. */
  edited: { account: Account; tag: string } | undefined;
  onClose: () => void;
  onSaved: (made: OneTimePassword | undefined) => void;
}) {
  const { api } = useGateway();
  const all = useMessages(messages);
  const words = all.account;
  const [name, setName] = useState("");
  const [grants, setGrants] = useState<Grant[]>(
    edited?.account.roles.map(grantOf) ?? [{ role: "viewer", d: "" }],
  );
  const [identities, setIdentities] = useState(edited?.account.identities.join("\n") ?? "");
  const [sent, setSent] = useState(false);
  const save = useAction(async () => {
    const settings = { roles: textsOf(grants), identities: linesOf(identities) };
    if (edited === undefined) {
      onSaved(await createAccount(api, { name, ...settings }));
    } else {
      await changeAccount(api, edited.account.name, settings, edited.tag);
      onSaved(undefined);
    }
    onClose();
  });
  const refused = refusedField(save.problem);
  const fault = edited === undefined && sent && nameFault(name) !== undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (edited !== undefined || nameFault(name) === undefined) void save.run();
  };
  const at = (field: string) => (refused === field ? problemText(save.problem) : undefined);
  return (
    <form className="dialog" data-dialog onSubmit={submit} noValidate data-form="account">
      {refused === undefined && <ErrorAlert problem={save.problem} />}
      {edited === undefined && (
        <TextInput
          label={words.name}
          description={words.nameHelp}
          data-autofocus
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          value={name}
          error={fault ? words.nameFault : at("name")}
          onChange={(event) => {
            save.forget();
            setName(event.currentTarget.value);
          }}
        />
      )}
      <RolesInput grants={grants} onChange={setGrants} error={at("roles")} />
      <Textarea
        label={words.identities}
        description={words.identitiesHelp}
        rows={2}
        spellCheck={false}
        value={identities}
        error={at("identities")}
        onChange={(event) => setIdentities(event.currentTarget.value)}
      />
      <div className="dialog-buttons">
        <Button variant="default" onClick={onClose}>
          {all.cancel}
        </Button>
        <Button type="submit" className="main-button" color="cyan.9" loading={save.busy}>
          {edited === undefined ? words.create : words.save}
        </Button>
      </div>
    </form>
  );
}

/** The field that a refusal is about, from the gateway's text. */
function refusedField(problem: unknown): "name" | "roles" | "identities" | undefined {
  if (!(problem instanceof ApiProblem) || (problem.status !== 400 && problem.status !== 409)) {
    return undefined;
  }
  if (/identit/.test(problem.detail)) return "identities";
  if (/\bname\b/.test(problem.detail) && !/administrator|domain/.test(problem.detail))
    return "name";
  return /\brole/.test(problem.detail) ? "roles" : undefined;
}
