import { Alert, Button, Checkbox, NativeSelect, TextInput, Title } from "@mantine/core";
import { useState, type FormEvent } from "react";
import type { Command, Endpoint } from "../../gateway/model";
import { useGateway } from "../../hooks/gateway";
import { ConfirmDialog } from "../../parts/ConfirmDialog";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { useMessages } from "../../hooks/messages";
import { sendCommand } from "./api";
import { commandValue, initialValue, UNKNOWN, type Fault } from "./control";
import { likelyResource, writablePaths } from "./likelyResource";
import { KeyDialog } from "./KeyDialog";
import { commandMessages } from "./commandMessages";
import { useCommanders } from "./useCommanders";
import { ValueField } from "./ValueField";

/** Stands for a typed path; no path of a resource contains a space. */
const ANOTHER = " ";
const HOUR = 3_600;
const EXPIRIES = { hour: HOUR, day: 24 * HOUR, week: 168 * HOUR, never: undefined };
type Expiry = keyof typeof EXPIRIES;

/** The current state of a command in the event stream. */
function present({ commands }: Endpoint, sent: Command): Command {
  return commands.find(({ path, seq }) => path === sent.path && seq === sent.seq) ?? sent;
}

/** Signs a command in this browser and gives it to the gateway. */
export function Composer({ endpoint }: { endpoint: Endpoint }) {
  const texts = useMessages(commandMessages);
  const { api, canVerify } = useGateway();
  const { commanders, add, forget } = useCommanders();
  const [kid, setKid] = useState("");
  const [path, setPath] = useState("");
  const [typed, setTyped] = useState("");
  /** Undefined: the last value of the resource. */
  const [value, setValue] = useState<string>();
  const [anyValue, setAnyValue] = useState(false);
  const [fault, setFault] = useState<Fault>();
  const [expiry, setExpiry] = useState<Expiry>("day");
  const [missing, setMissing] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const [sent, setSent] = useState<Command>();
  const [dialog, setDialog] = useState<"add" | "forget">();
  const commander = commanders.find((one) => one.kid === kid) ?? commanders[0];
  const paths = writablePaths(endpoint);
  const typing = paths.length === 0 || path === ANOTHER;
  const res = typing ? typed.trim() : paths.includes(path) ? path : likelyResource(endpoint);

  const resource = endpoint.resources.find((one) => one.path === res);
  const derived = (typing ? undefined : resource?.control) ?? UNKNOWN;
  const control = anyValue && !derived.declared ? UNKNOWN : derived;
  const written = value ?? initialValue(control, resource?.value);

  const choose = (chosen: string) => {
    setPath(chosen);
    setValue(undefined);
    setAnyValue(false);
    setFault(undefined);
  };

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = commandValue(control, written);
    setMissing(res === "");
    setFault("fault" in given ? given.fault : undefined);
    if (commander === undefined || "fault" in given || res === "") return;
    setBusy(true);
    setProblem(undefined);
    setSent(undefined);
    const seconds = EXPIRIES[expiry];
    const exp = seconds === undefined ? undefined : Math.floor(api.now() / 1000) + seconds;
    try {
      const { ep, d } = endpoint;
      const command = { ep, d, res, exp, value: given.value };
      const queued = await sendCommand(api, endpoint.id, command, commander, crypto.subtle);
      setSent(queued);
      if (control.kind === "unknown" || control.kind === "text") setValue("");
    } catch (reason) {
      setProblem(reason);
    } finally {
      setBusy(false);
    }
  };

  return (
    <form className="composer" onSubmit={(event) => void submit(event)} data-composer>
      <Title order={3} size="h6">
        {texts.compose}
      </Title>
      <p className="dimmed">{canVerify ? texts.composeWhat : texts.insecure}</p>
      {canVerify && commander === undefined && <p>{texts.noCommander}</p>}
      {canVerify && commander !== undefined && (
        <div className="composer-fields" data-control={control.kind}>
          {paths.length > 0 && (
            <NativeSelect
              label={texts.composeResource}
              value={typing ? ANOTHER : res}
              data={[
                { value: "", label: texts.composeChoose },
                ...paths,
                { value: ANOTHER, label: texts.composeAnother },
              ]}
              error={missing && !typing && res === "" && texts.composeResourceNeeded}
              onChange={(event) => choose(event.currentTarget.value)}
            />
          )}
          {typing && (
            <TextInput
              label={texts.composePath}
              description={texts.composePathHint}
              inputWrapperOrder={["label", "input", "description", "error"]}
              autoCapitalize="off"
              spellCheck={false}
              value={typed}
              error={missing && res === "" && texts.composeResourceNeeded}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
          )}
          <ValueField
            control={control}
            unit={resource?.unit ?? ""}
            value={written}
            fault={fault}
            onChange={(next) => {
              setValue(next);
              setFault(undefined);
            }}
          />
          <NativeSelect
            label={texts.composeExpiry}
            value={expiry}
            data={(Object.keys(EXPIRIES) as Expiry[]).map((name) => ({
              value: name,
              label: texts.expiries[name],
            }))}
            onChange={(event) => setExpiry(event.currentTarget.value as Expiry)}
          />
          <NativeSelect
            label={texts.composeKey}
            value={commander.kid}
            data={commanders.map((one) => ({
              value: one.kid,
              label: `${one.kid.slice(0, 12)}… (${one.alg})`,
            }))}
            onChange={(event) => setKid(event.currentTarget.value)}
          />
        </div>
      )}
      {canVerify && commander !== undefined && !derived.declared && derived.kind !== "unknown" && (
        <Checkbox
          size="xs"
          label={texts.composeAnyValue}
          checked={anyValue}
          onChange={(event) => {
            setAnyValue(event.currentTarget.checked);
            setValue(undefined);
            setFault(undefined);
          }}
        />
      )}
      <ErrorAlert problem={problem} />
      {sent !== undefined && (
        <Alert color="cyan" role="status" data-sent={sent.seq}>
          {texts.sent(sent.seq, texts.states[present(endpoint, sent).state])}
        </Alert>
      )}
      {canVerify && (
        <div className="composer-actions">
          {commander !== undefined && (
            <Button type="submit" className="main-button" size="xs" color="cyan.9" loading={busy}>
              {texts.send}
            </Button>
          )}
          <Button size="xs" variant="default" onClick={() => setDialog("add")}>
            {texts.addKey}
          </Button>
          {commander !== undefined && (
            <Button size="xs" variant="subtle" color="gray" onClick={() => setDialog("forget")}>
              {texts.forget}
            </Button>
          )}
        </div>
      )}
      <KeyDialog
        d={endpoint.d}
        opened={dialog === "add"}
        onClose={() => setDialog(undefined)}
        onAdd={async (added, onlyNow) => {
          await add(added, onlyNow);
          setKid(added.kid);
        }}
      />
      <ConfirmDialog
        opened={dialog === "forget"}
        title={texts.forgetTitle}
        confirm={texts.forgetConfirm}
        onClose={() => setDialog(undefined)}
        onConfirm={async () => {
          if (commander !== undefined) await forget(commander.kid);
        }}
      >
        {texts.forgetWhat(commander?.kid ?? "")}
      </ConfirmDialog>
    </form>
  );
}
