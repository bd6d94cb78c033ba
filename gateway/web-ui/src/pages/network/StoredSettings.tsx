import "../../parts/forms.css";
import { Alert, Button, Modal, Text } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { useGateway } from "../../hooks/gateway";
import { useLoaded } from "../../hooks/loaded";
import { useSession } from "../../hooks/session";
import { ConfirmDialog } from "../../parts/ConfirmDialog";
import { Done } from "../../parts/Done";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { Warning } from "../../parts/icons";
import { useMessages } from "../../hooks/messages";
import { hasRoleEverywhere } from "../../gateway/roles";
import { fieldsOf } from "./settingsDraft";
import { settingsMessages } from "./settingsMessages";
import {
  MEMBERS,
  readNetworkSettings,
  removeNetworkSettings,
  type Member,
  type Origin,
  type Radio,
  type Shown,
} from "./stored";
import { StoredSettingsForm } from "./StoredSettingsForm";

/** Radios, filter rules and link key that administrators store for the next start. */
export function StoredSettings() {
  return hasRoleEverywhere(useSession(), "administrator") ? <Card /> : null;
}

function Card() {
  const { api } = useGateway();
  const words = useMessages(settingsMessages);
  const { data, problem, reload } = useLoaded("network settings", () => readNetworkSettings(api));
  const [edited, setEdited] = useState<Shown>();
  const [removing, setRemoving] = useState(false);
  const [done, setDone] = useState<string>();
  const changed = (sentence: string) => {
    setDone(sentence);
    reload();
  };
  return (
    <section className="panel spaced" data-network-settings>
      <h2>{words.title}</h2>
      <Text size="sm" c="dimmed">
        {words.explain}
      </Text>
      <ErrorAlert problem={problem} onRetry={reload} />
      <Done sentence={done} />
      {data !== undefined && (
        <>
          <Notices shown={data} />
          <dl className="settings">
            {MEMBERS.map((member) => (
              <div key={member} data-setting={member}>
                <dt>{words.member[member]}</dt>
                <dd>
                  <Value member={member} shown={data} />
                  <small className="under">
                    <Where origin={data.origins[member]} />
                  </small>
                </dd>
              </div>
            ))}
          </dl>
          <div className="row-actions">
            <Button size="xs" variant="default" onClick={() => setEdited(data)}>
              {words.edit}
            </Button>
            {data.settings.stored !== undefined && (
              <Button size="xs" variant="default" onClick={() => setRemoving(true)}>
                {words.remove}
              </Button>
            )}
          </div>
        </>
      )}
      <Modal
        opened={edited !== undefined}
        onClose={() => setEdited(undefined)}
        title={words.editTitle}
        size="lg"
        lockScroll={false}
        closeButtonProps={{ "aria-label": words.close }}
      >
        {edited !== undefined && (
          <StoredSettingsForm
            edited={edited}
            onClose={() => setEdited(undefined)}
            onSaved={() => changed(words.stored)}
          />
        )}
      </Modal>
      <ConfirmDialog
        opened={removing}
        title={words.removeTitle}
        confirm={words.remove}
        onClose={() => setRemoving(false)}
        onConfirm={async () => {
          await removeNetworkSettings(api, data?.tag ?? "*");
          changed(words.removed);
        }}
      >
        {words.removeWhat}
      </ConfirmDialog>
    </section>
  );
}

function Notices({ shown: { settings } }: { shown: Shown }) {
  const words = useMessages(settingsMessages);
  return (
    <>
      {settings.problem !== undefined && (
        <Alert
          color="red"
          icon={<Warning size={20} />}
          title={words.problemTitle}
          data-settings-problem
        >
          {words.problemWhat(settings.problem)}
        </Alert>
      )}
      {settings.restartNeeded && (
        <Alert color="yellow" data-restart-needed>
          {words.restart}
        </Alert>
      )}
    </>
  );
}

/** The origin of a member, such as the line of the settings file. */
export function Where({ origin: { source, place } }: { origin: Origin }) {
  const words = useMessages(settingsMessages);
  return <>{place === undefined ? words.source[source] : `${words.source[source]}: ${place}`}</>;
}

function Value({ member, shown: { settings, origins } }: { member: Member; shown: Shown }) {
  const words = useMessages(settingsMessages);
  const { source } = origins[member];
  if (source !== "store" && source !== "default") return <>{words.notShown}</>;
  const { radios = [], filter = [], linkSecurity } = settings.stored ?? {};
  switch (member) {
    case "radios":
      return <Lines of={radios.map((radio) => radioText(radio, words.kind))} none={words.none} />;
    case "filter":
      return (
        <Lines
          of={filter.map((rule) => (
            <code>{rule}</code>
          ))}
          none={words.defaultRules}
        />
      );
    case "linkSecurity": {
      if (linkSecurity === undefined) return <>{words.notSecured}</>;
      const { level, keyIndex } = linkSecurity;
      const index = keyIndex < 0 ? "" : words.keyIndexOf(keyIndex);
      return <>{words.secured(`${level}${index}`)}</>;
    }
  }
}

function Lines({ of, none }: { of: readonly ReactNode[]; none: string }) {
  if (of.length === 0) return <>{none}</>;
  return (
    <ul className="plain-list">
      {of.map((line, at) => (
        <li key={at}>{line}</li>
      ))}
    </ul>
  );
}

function radioText(radio: Radio, kinds: Readonly<Record<Radio["kind"], string>>): string {
  const parts = fieldsOf(radio.kind).flatMap((field) =>
    radio[field] === undefined ? [] : [String(radio[field])],
  );
  return [kinds[radio.kind], ...parts].join(", ");
}
