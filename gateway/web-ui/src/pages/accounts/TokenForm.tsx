import { Button, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { useGateway } from "../../hooks/gateway";
import { useAction } from "../../hooks/loaded";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { useMessages } from "../../hooks/messages";
import { makeToken, type Token } from "./api";
import { grantOf, include, isDays, isTokenName, textsOf, type Grant } from "./grants";
import { messages } from "./messages";
import { RolesInput } from "./RolesInput";

/** Creates an API token with some of the user's own roles. */
export function TokenForm({
  own,
  onClose,
  onMade,
}: {
  own: readonly string[];
  onClose: () => void;
  onMade: (token: Token) => void;
}) {
  const { api } = useGateway();
  const all = useMessages(messages);
  const words = all.token;
  const [name, setName] = useState("");
  const [grants, setGrants] = useState<Grant[]>(() => leastOf(own));
  const [days, setDays] = useState("90");
  const [sent, setSent] = useState(false);
  const save = useAction(async () => {
    onMade(await makeToken(api, { name, roles: textsOf(grants), days: Number(days) }));
    onClose();
  });
  const faults = {
    name: isTokenName(name) ? undefined : words.nameFault,
    roles:
      grants.length > 0 && grants.every((grant) => include(own, grant))
        ? undefined
        : words.rolesFault,
    days: isDays(days) ? undefined : words.daysFault,
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (Object.values(faults).every((fault) => fault === undefined)) void save.run();
  };
  return (
    <form className="dialog" data-dialog onSubmit={submit} noValidate data-form="token">
      <ErrorAlert problem={save.problem} />
      <TextInput
        label={words.name}
        data-autofocus
        autoComplete="off"
        value={name}
        error={sent ? faults.name : undefined}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <RolesInput grants={grants} onChange={setGrants} error={sent ? faults.roles : undefined} />
      <TextInput
        label={words.days}
        description={words.daysHelp}
        inputMode="numeric"
        value={days}
        error={sent ? faults.days : undefined}
        onChange={(event) => setDays(event.currentTarget.value)}
      />
      <div className="dialog-buttons">
        <Button variant="default" onClick={onClose}>
          {all.cancel}
        </Button>
        <Button type="submit" className="main-button" color="cyan.9" loading={save.busy}>
          {words.make}
        </Button>
      </div>
    </form>
  );
}

/** The default is a viewer in the user's first domain; more rights must be chosen. */
function leastOf(own: readonly string[]): Grant[] {
  const [first] = own;
  return first === undefined ? [] : [{ role: "viewer", d: grantOf(first).d }];
}
