import { Alert, Button, PasswordInput, Text } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { ApiProblem } from "../../gateway/api";
import { useGateway } from "../../hooks/gateway";
import { useAction } from "../../hooks/loaded";
import { useMessages } from "../../hooks/messages";
import { passwordFault, passwordProblem } from "../../text/passwords";
import { messages } from "./messages";

/** Changes the password of the account that is signed in. */
export function OwnPassword({ name, onChanged }: { name: string; onChanged: () => void }) {
  const { session } = useGateway();
  const words = useMessages(messages).own;
  const [present, setPresent] = useState("");
  const [wanted, setWanted] = useState("");
  const [again, setAgain] = useState("");
  const [sent, setSent] = useState(false);
  const [done, setDone] = useState(false);
  const { busy, problem, run } = useAction(async () => {
    setDone(false);
    await session.changePassword(present, wanted);
    for (const clear of [setPresent, setWanted, setAgain]) clear("");
    setSent(false);
    setDone(true);
    onChanged();
  });
  const fault = passwordFault(wanted, again);
  const differs = fault !== undefined && passwordFault(wanted, wanted) === undefined;
  const { presentFault, wantedFault } = refusals(problem, words.wrong);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (fault === undefined) void run();
  };
  return (
    <form className="narrow-form" onSubmit={submit} noValidate data-form="password">
      <Text size="sm" c="dimmed">
        {words.explain}
      </Text>
      {done && (
        <Alert color="teal" role="status">
          {words.done}
        </Alert>
      )}
      <input type="hidden" name="username" autoComplete="username" value={name} readOnly />
      <PasswordInput
        label={words.present}
        autoComplete="current-password"
        value={present}
        error={presentFault}
        onChange={(event) => setPresent(event.currentTarget.value)}
      />
      <PasswordInput
        label={words.wanted}
        description={words.help}
        autoComplete="new-password"
        value={wanted}
        error={wantedFault ?? (sent && !differs ? fault : undefined)}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
      <PasswordInput
        label={words.again}
        autoComplete="new-password"
        value={again}
        error={sent && differs ? fault : undefined}
        onChange={(event) => setAgain(event.currentTarget.value)}
      />
      <div>
        <Button type="submit" className="main-button" color="cyan.9" loading={busy}>
          {words.change}
        </Button>
      </div>
    </form>
  );
}

/** The field that a refusal is about: 401 is the current password, 400 the new one. */
function refusals(problem: unknown, wrong: string) {
  if (problem === undefined) return {};
  if (problem instanceof ApiProblem && problem.status === 400) {
    return { wantedFault: passwordProblem(problem) };
  }
  const isWrong = problem instanceof ApiProblem && problem.status === 401;
  return { presentFault: isWrong ? wrong : passwordProblem(problem) };
}
