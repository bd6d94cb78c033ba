import { Alert, Button, PasswordInput, Text, TextInput, Title } from "@mantine/core";
import { useState, type ReactNode, type FormEvent } from "react";
import { useGateway } from "../hooks/gateway";
import { passwordFault, problemText } from "../text/problems";
import { Logo, Warning } from "./icons";

/** Asks for name and password. */
export function SignIn({
  ended,
  onCancel,
}: {
  ended: boolean;
  onCancel: (() => void) | undefined;
}) {
  const { session } = useGateway();
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const { busy, problem, submit } = useSubmit(() => session.signIn(name, password));
  return (
    <SignInCard title="Sign in" view="sign-in" onSubmit={submit}>
      {ended && problem === undefined && (
        <Text c="dimmed" size="sm">
          Your session has ended. Sign in to go on.
        </Text>
      )}
      <Problem text={problem} />
      <TextInput
        label="Account"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        required
        withAsterisk={false}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <PasswordInput
        label="Password"
        name="password"
        autoComplete="current-password"
        required
        withAsterisk={false}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Button type="submit" color="cyan.9" loading={busy}>
        Sign in
      </Button>
      {onCancel !== undefined && (
        <Button variant="subtle" color="gray" onClick={onCancel}>
          Back
        </Button>
      )}
      <Text c="dimmed" size="sm">
        First time here? Sign in as “admin” with the one-time password that the gateway printed when
        it started, or wrote to the file it named.
      </Text>
    </SignInCard>
  );
}

/** Replaces a one-time password, before anything else is permitted. */
export function ChangePassword({ name }: { name: string }) {
  const { session } = useGateway();
  const [present, setPresent] = useState("");
  const [wanted, setWanted] = useState("");
  const [again, setAgain] = useState("");
  const { busy, problem, submit } = useSubmit(async () => {
    const fault = passwordFault(wanted, again);
    if (fault !== undefined) throw new Fault(fault);
    await session.changePassword(present, wanted);
  });
  return (
    <SignInCard title="Choose your password" view="change-password" onSubmit={submit}>
      <Text c="dimmed" size="sm">
        You signed in as {name} with a one-time password. Replace it by one that only you know.
      </Text>
      <Problem text={problem} />
      <input type="hidden" name="username" autoComplete="username" value={name} readOnly />
      <PasswordInput
        label="One-time password"
        autoComplete="current-password"
        autoFocus
        required
        withAsterisk={false}
        value={present}
        onChange={(event) => setPresent(event.currentTarget.value)}
      />
      <PasswordInput
        label="New password"
        description="At least 12 characters; several words are fine."
        autoComplete="new-password"
        required
        withAsterisk={false}
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
      <PasswordInput
        label="New password again"
        autoComplete="new-password"
        required
        withAsterisk={false}
        value={again}
        onChange={(event) => setAgain(event.currentTarget.value)}
      />
      <Button type="submit" color="cyan.9" loading={busy}>
        Change password
      </Button>
      <Button variant="subtle" color="gray" onClick={() => void session.signOut()}>
        Sign out
      </Button>
    </SignInCard>
  );
}

/** A mistake that the page finds itself. */
class Fault extends Error {}

function useSubmit(action: () => Promise<void>) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const submit = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await action();
    } catch (reason) {
      setProblem(reason instanceof Fault ? reason.message : problemText(reason));
    } finally {
      setBusy(false);
    }
  };
  return { busy, problem, submit };
}

function Problem({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <Alert color="red" icon={<Warning size={20} />} data-problem>
      {text}
    </Alert>
  );
}

function SignInCard({
  title,
  view,
  onSubmit,
  children,
}: {
  title: string;
  view: string;
  onSubmit: () => Promise<void>;
  children: ReactNode;
}) {
  const onFormSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void onSubmit();
  };
  return (
    <main className="sign-in" data-view={view}>
      <form className="sign-in-card" onSubmit={onFormSubmit}>
        <div className="sign-in-head">
          <Logo />
          <Title order={1} size="h3">
            {title}
          </Title>
        </div>
        {children}
      </form>
    </main>
  );
}
