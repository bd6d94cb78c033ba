import { Alert, Button, PasswordInput, Text, TextInput, Title } from "@mantine/core";
import { useState, type ReactNode, type FormEvent } from "react";
import { useGateway } from "../hooks/gateway";
import { Logo, Warning } from "../parts/icons";
import { useMessages } from "./messages";
import { passwordFault, passwordProblem } from "./passwords";
import { ProviderSignIn } from "./ProviderSignIn";
import { signInMessages } from "./shellMessages";

/** Asks for name and password. */
export function SignIn({
  ended,
  onCancel,
}: {
  ended: boolean;
  onCancel: (() => void) | undefined;
}) {
  const texts = useMessages(signInMessages);
  const { session } = useGateway();
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const { busy, problem, submit } = useSubmit(() => session.signIn(name, password));
  return (
    <SignInCard title={texts.signIn} view="sign-in" onSubmit={submit}>
      {ended && problem === undefined && (
        <Text c="dimmed" size="sm">
          {texts.ended}
        </Text>
      )}
      <Problem text={problem} />
      <TextInput
        label={texts.account}
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
        label={texts.password}
        name="password"
        autoComplete="current-password"
        required
        withAsterisk={false}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Button type="submit" color="cyan.9" loading={busy}>
        {texts.signIn}
      </Button>
      {onCancel !== undefined && (
        <Button variant="subtle" color="gray" onClick={onCancel}>
          {texts.back}
        </Button>
      )}
      <ProviderSignIn />
      <Text c="dimmed" size="sm">
        {texts.firstTime}
      </Text>
    </SignInCard>
  );
}

/** Replaces a one-time password, before anything else is permitted. */
export function ChangePassword({ name }: { name: string }) {
  const texts = useMessages(signInMessages);
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
    <SignInCard title={texts.choose} view="change-password" onSubmit={submit}>
      <Text c="dimmed" size="sm">
        {texts.chooseWhy(name)}
      </Text>
      <Problem text={problem} />
      <input type="hidden" name="username" autoComplete="username" value={name} readOnly />
      <PasswordInput
        label={texts.oneTime}
        autoComplete="current-password"
        autoFocus
        required
        withAsterisk={false}
        value={present}
        onChange={(event) => setPresent(event.currentTarget.value)}
      />
      <PasswordInput
        label={texts.wanted}
        description={texts.wantedHint}
        autoComplete="new-password"
        required
        withAsterisk={false}
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
      <PasswordInput
        label={texts.again}
        autoComplete="new-password"
        required
        withAsterisk={false}
        value={again}
        onChange={(event) => setAgain(event.currentTarget.value)}
      />
      <Button type="submit" color="cyan.9" loading={busy}>
        {texts.change}
      </Button>
      <Button variant="subtle" color="gray" onClick={() => void session.signOut()}>
        {texts.signOut}
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
      setProblem(reason instanceof Fault ? reason.message : passwordProblem(reason));
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
