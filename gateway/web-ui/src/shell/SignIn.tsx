import { Alert, Button, Divider, PasswordInput, Text, TextInput, Title } from "@mantine/core";
import { useState, type ReactNode, type FormEvent } from "react";
import { ApiProblem } from "../gateway/api";
import { answerWithPasskey } from "../gateway/passkeys";
import { useGateway } from "../hooks/gateway";
import { useSignInWays } from "../hooks/signInWays";
import { Logo, Warning } from "../parts/icons";
import { useMessages } from "../hooks/messages";
import { passkeyMessages } from "./passkeyMessages";
import { passwordFault, passwordProblem } from "../text/passwords";
import { ProviderSignIn } from "./ProviderSignIn";
import { signInMessages } from "./shellMessages";

interface Password {
  account: string;
  password: string;
}

/** Asks for name and password, or for another way to sign in. */
export function SignIn({
  ended,
  onCancel,
}: {
  ended: boolean;
  onCancel: (() => void) | undefined;
}) {
  const [second, setSecond] = useState<Password>();
  return second === undefined ? (
    <FirstStep ended={ended} onCancel={onCancel} onSecond={setSecond} />
  ) : (
    <SecondStep password={second} onBack={() => setSecond(undefined)} />
  );
}

function FirstStep({
  ended,
  onCancel,
  onSecond,
}: {
  ended: boolean;
  onCancel: (() => void) | undefined;
  /** The password is correct, and the account also requires a passkey. */
  onSecond: (password: Password) => void;
}) {
  const texts = useMessages(signInMessages);
  const passkeyTexts = useMessages(passkeyMessages);
  const { session } = useGateway();
  const ways = useSignInWays();
  const [account, setAccount] = useState("");
  const [password, setPassword] = useState("");
  const { busy, problem, submit } = useSubmit(async () => {
    try {
      await session.signIn(account, password);
    } catch (reason) {
      if (!(reason instanceof ApiProblem) || reason.type !== "passkey-needed") throw reason;
      if (ways?.passkeys !== true) throw new Fault(passkeyTexts.notHere);
      onSecond({ account, password });
    }
  });
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
        value={account}
        onChange={(event) => setAccount(event.currentTarget.value)}
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
      {ways !== undefined && (ways.passkeys || ways.provider !== "") && (
        <Divider label={texts.or} />
      )}
      {ways?.passkeys === true && <PasskeyAlone />}
      {ways !== undefined && ways.provider !== "" && <ProviderSignIn provider={ways.provider} />}
      <Text c="dimmed" size="sm">
        {texts.firstTime}
      </Text>
    </SignInCard>
  );
}

/** Signs in without a password: the passkey names the account. */
function PasskeyAlone() {
  const texts = useMessages(passkeyMessages);
  const { session } = useGateway();
  const { busy, problem, submit } = useSubmit(() => session.signInWithPasskey(undefined, answer));
  return (
    <>
      <Problem text={problem} />
      <Button variant="default" loading={busy} onClick={() => void submit()} data-passkey>
        {texts.with}
      </Button>
    </>
  );
}

/** The passkey in addition to the password. It starts with a click, which some browsers require. */
function SecondStep({ password, onBack }: { password: Password; onBack: () => void }) {
  const texts = useMessages(passkeyMessages);
  const { session } = useGateway();
  const { busy, problem, submit } = useSubmit(() => session.signInWithPasskey(password, answer));
  return (
    <SignInCard title={texts.second} view="second-factor" onSubmit={submit}>
      <Text c="dimmed" size="sm">
        {texts.secondWhy(password.account)}
      </Text>
      <Problem text={problem} />
      <Button type="submit" color="cyan.9" loading={busy} autoFocus>
        {texts.use}
      </Button>
      <Button variant="subtle" color="gray" onClick={onBack}>
        {texts.back}
      </Button>
    </SignInCard>
  );
}

function answer(options: unknown): Promise<object> {
  return answerWithPasskey(options, navigator.credentials);
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

/** A fault that the page itself finds. */
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
