import { Alert, Button, NativeSelect, SegmentedControl, Skeleton, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import { useAlarmKinds } from "../../hooks/alarmKinds";
import { useGateway } from "../../hooks/gateway";
import { useAction, useLoaded } from "../../hooks/loaded";
import { useSession } from "../../hooks/session";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { useMessages } from "../../hooks/messages";
import { alarmKindName } from "../../text/alarmKinds";
import { SEVERITIES, listAlarms, type Alarm, type AlarmFilter, type Silence } from "./api";
import { AcknowledgeDialog } from "./AcknowledgeDialog";
import { AlarmTable } from "./AlarmTable";
import { joined, withAlarm } from "./live";
import { messages } from "./messages";
import { operates } from "./rights";
import { SilenceDialog } from "./SilenceDialog";

/** The alarms that match a filter, newest first; changes arrive as events. */
export function AlarmList({
  silenceChanges,
  onSilenced,
}: {
  silenceChanges: number;
  onSilenced: (silence: Silence) => void;
}) {
  const { api, alarms } = useGateway();
  const words = useMessages(messages);
  const session = useSession();
  const [chosen, setChosen] = useState<AlarmFilter>({
    state: "open",
    severity: "",
    kind: "",
    text: "",
  });
  const [text] = useDebouncedValue(chosen.text, 300);
  const filter = { ...chosen, text };
  const { data, problem, reload, change, extend } = useLoaded(JSON.stringify(filter), () =>
    listAlarms(api, filter),
  );
  const more = useAction((after: string) =>
    extend(async () => {
      const following = await listAlarms(api, filter, after);
      return (page) => joined(page, following);
    }),
  );
  const shown = useRef(filter);
  shown.current = filter;
  useEffect(
    () =>
      alarms.subscribe((alarm) => change((page) => withAlarm(page, alarm as Alarm, shown.current))),
    [alarms, change],
  );
  useEffect(() => {
    if (silenceChanges > 0) reload();
  }, [silenceChanges, reload]);
  const [acknowledging, setAcknowledging] = useState<Alarm>();
  const [silencing, setSilencing] = useState<Alarm>();
  return (
    <>
      <Filters filter={chosen} onChange={setChosen} />
      <ErrorAlert problem={problem} onRetry={reload} />
      {data !== undefined && data.refused > 0 && (
        <Alert color="yellow">{words.refused(data.refused)}</Alert>
      )}
      {data === undefined && problem === undefined && <Skeleton height={200} radius="md" />}
      {data !== undefined && (
        <AlarmTable
          alarms={data.alarms}
          mayOperate={({ d }) => operates(session, d)}
          empty={isBare(filter) ? words.noneOpen : words.none}
          onAcknowledge={setAcknowledging}
          onSilence={setSilencing}
        />
      )}
      {data?.next !== undefined && (
        <Button
          variant="default"
          mt="md"
          loading={more.busy}
          onClick={() => void more.run(data.next ?? "")}
        >
          {words.more}
        </Button>
      )}
      <AcknowledgeDialog
        alarm={acknowledging}
        onClose={() => setAcknowledging(undefined)}
        onDone={(alarm) => change((page) => withAlarm(page, alarm, filter))}
      />
      <SilenceDialog
        alarm={silencing}
        onClose={() => setSilencing(undefined)}
        onDone={onSilenced}
      />
    </>
  );
}

function isBare(filter: AlarmFilter): boolean {
  return (
    filter.state === "open" && filter.severity === "" && filter.kind === "" && filter.text === ""
  );
}

function Filters({
  filter,
  onChange,
}: {
  filter: AlarmFilter;
  onChange: (filter: AlarmFilter) => void;
}) {
  const words = useMessages(messages);
  const { data: kinds } = useAlarmKinds();
  return (
    <div className="filters">
      <SegmentedControl
        value={filter.state}
        onChange={(state) => onChange({ ...filter, state: state as AlarmFilter["state"] })}
        aria-label={words.show}
        data={[
          { value: "open", label: words.open },
          { value: "cleared", label: words.past },
          { value: "all", label: words.all },
        ]}
      />
      <NativeSelect
        aria-label={words.columns.severity}
        value={filter.severity}
        onChange={(event) =>
          onChange({ ...filter, severity: event.currentTarget.value as AlarmFilter["severity"] })
        }
        data={[
          { value: "", label: words.anySeverity },
          ...SEVERITIES.map((value) => ({ value, label: words.severity[value] })),
        ]}
      />
      <NativeSelect
        aria-label={words.field.kind}
        value={filter.kind}
        onChange={(event) => onChange({ ...filter, kind: event.currentTarget.value })}
        data={[
          { value: "", label: words.anyKind },
          ...(kinds ?? []).map(({ kind }) => ({ value: kind, label: alarmKindName(kinds, kind) })),
        ]}
      />
      <TextInput
        type="search"
        aria-label={words.search}
        placeholder={words.search}
        value={filter.text}
        onChange={(event) => onChange({ ...filter, text: event.currentTarget.value })}
      />
    </div>
  );
}
