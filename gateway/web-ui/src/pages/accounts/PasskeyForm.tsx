import { Button, PasswordInput, Text, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { ApiProblem } from "../../gateway/api";
import { useGateway } from "../../hooks/gateway";
import { useAction } from "../../hooks/loaded";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { useMessages } from "../../hooks/messages";
import { passkeyMessages } from "./passkeyMessages";
import { addPasskey, isPasskeyName, suggestedName } from "./passkeys";

/** Creates a passkey in this browser for the user's own account. */
export function PasskeyForm({
  account,
  onClose,
  onAdded,
}: {
  account: string;
  onClose: () => void;
  onAdded: (name: string) => void;
}) {
  const { api } = useGateway();
  const words = useMessages(passkeyMessages);
  const [name, setName] = useState(() => suggestedName(navigator.userAgent));
  const [password, setPassword] = useState("");
  const [sent, setSent] = useState(false);
  const { busy, problem, run, forget } = useAction(async () => {
    await addPasskey(api, name.trim(), password);
    onAdded(name.trim());
    onClose();
  });
  const named = isPasskeyName(name.trim());
  const wrong = problem instanceof ApiProblem && problem.type === "wrong-password";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (named) void run();
  };
  return (
    <form className="dialog" data-dialog onSubmit={submit} noValidate data-form="passkey">
      <Text size="sm" c="dimmed">
        {words.addWhat}
      </Text>
      {!wrong && <ErrorAlert problem={problem} />}
      <TextInput
        label={words.name}
        description={words.nameHelp}
        autoComplete="off"
        value={name}
        error={sent && !named ? words.nameFault : undefined}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <input type="hidden" name="username" autoComplete="username" value={account} readOnly />
      <PasswordInput
        label={words.password}
        description={words.passwordHelp}
        data-autofocus
        autoComplete="current-password"
        value={password}
        error={wrong ? words.passwordWrong : undefined}
        onChange={(event) => {
          forget();
          setPassword(event.currentTarget.value);
        }}
      />
      <div className="dialog-buttons">
        <Button variant="default" onClick={onClose}>
          {words.cancel}
        </Button>
        <Button type="submit" className="main-button" color="cyan.9" loading={busy}>
          {words.add}
        </Button>
      </div>
    </form>
  );
}
