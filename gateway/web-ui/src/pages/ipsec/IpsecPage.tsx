import "./ipsec.css";
import { Alert, Button, Text } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { ApiProblem } from "../../gateway/api";
import { useChanges } from "../../hooks/changes";
import { useGateway } from "../../hooks/gateway";
import { useLoaded } from "../../hooks/loaded";
import { Age } from "../../parts/Age";
import { Done } from "../../parts/Done";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { Page } from "../../parts/Page";
import { Warning } from "../../parts/icons";
import { useMessages } from "../../hooks/messages";
import { ASSOCIATIONS, refused, type Association, type Associations } from "./api";
import { bytes, grouped } from "../../text/format";
import { AssociationTable } from "./AssociationTable";
import { changed, needsReading } from "./live";
import { ipsecMessages } from "./messages";
import { ReloadDialog } from "./ReloadDialog";

/** The IPsec associations that end at the gateway, without their keys. */
export default function IpsecPage() {
  const texts = useMessages(ipsecMessages);
  const { api } = useGateway();
  const { data, problem, reload, refresh, change } = useLoaded(
    ASSOCIATIONS,
    () => api.json(ASSOCIATIONS) as Promise<Associations>,
  );
  useChanges((event) => {
    // An answer in transit may be older than the event.
    if (needsReading(event) || (data === undefined && event.kind === "association")) refresh();
    else change((before) => changed(before, event));
  });
  if (problem instanceof ApiProblem && problem.status === 404) {
    return (
      <Page title={texts.title}>
        <Alert color="gray" title={texts.none} data-no-associations>
          {texts.noneWhat}
        </Alert>
      </Page>
    );
  }
  return (
    <Page title={texts.title}>
      <ErrorAlert problem={problem} />
      {data !== undefined && <Shown read={data} onChange={reload} />}
    </Page>
  );
}

function Shown({ read, onChange }: { read: Associations; onChange: () => void }) {
  const texts = useMessages(ipsecMessages);
  const [asking, setAsking] = useState(false);
  const [done, setDone] = useState<string>();
  return (
    <>
      <Summary read={read} />
      {read.problem !== undefined && (
        <Alert color="red" icon={<Warning size={20} />} title={texts.fileProblem} data-file-problem>
          <bdi>{read.problem}</bdi>
          <br />
          {texts.fileProblemWhat}
        </Alert>
      )}
      <Stopped associations={read.associations} />
      <Warnings associations={read.associations} />
      <Done sentence={done} />
      <AssociationTable associations={read.associations} />
      {read.next !== undefined && <Text size="sm">{texts.more}</Text>}
      <Text size="sm" c="dimmed">
        {texts.keysNever}
      </Text>
      <div>
        <Button variant="default" onClick={() => setAsking(true)}>
          {texts.reload}
        </Button>
      </div>
      <ReloadDialog
        opened={asking}
        onClose={() => setAsking(false)}
        onDone={(sentence) => {
          setDone(sentence);
          onChange();
        }}
      />
    </>
  );
}

function Summary({ read: { file, loadedAt, associations } }: { read: Associations }) {
  const texts = useMessages(ipsecMessages);
  const total = (of: (one: Association) => number) =>
    associations.reduce((sum, one) => sum + of(one), 0);
  return (
    <dl className="ipsec-summary">
      <Fact name={texts.file}>
        <code>{file}</code>
      </Fact>
      <Fact name={texts.loaded}>
        <Age at={Date.parse(loadedAt)} />
      </Fact>
      <Fact name={texts.count}>{associations.length}</Fact>
      <Fact name={texts.packets}>{grouped(total(({ packets }) => packets))}</Fact>
      <Fact name={texts.octets}>{bytes(total(({ octets }) => octets))}</Fact>
      <Fact name={texts.saved}>{bytes(total(({ octetsSaved }) => octetsSaved))}</Fact>
      <Fact name={texts.refused}>{grouped(total(refused))}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="numbers">{children}</dd>
    </div>
  );
}

/** Associations that carry nothing, and the remedy. */
function Stopped({ associations }: { associations: readonly Association[] }) {
  const texts = useMessages(ipsecMessages);
  const stopped = associations.filter(({ state }) => state !== "ready");
  if (stopped.length === 0) return null;
  return (
    <Alert
      color="red"
      icon={<Warning size={20} />}
      title={texts.notReady(stopped.length)}
      data-stopped
    >
      {stopped.some(({ state }) => state === "record_missing") && <div>{texts.recordMissing}</div>}
      {stopped.some(({ state }) => state === "exhausted") && <div>{texts.exhausted}</div>}
    </Alert>
  );
}

/** Warnings of the gateway about the file, in its own words. */
function Warnings({ associations }: { associations: readonly Association[] }) {
  const texts = useMessages(ipsecMessages);
  const warnings = associations.flatMap(({ line, warnings }) =>
    warnings.map((warning) => `${texts.line} ${line}: ${warning}`),
  );
  if (warnings.length === 0) return null;
  return (
    <Alert color="yellow" icon={<Warning size={20} />} title={texts.warnings} data-warnings>
      <ul className="ipsec-warnings">
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </Alert>
  );
}
