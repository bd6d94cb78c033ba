import { Badge, Button } from "@mantine/core";
import type { AlarmKind } from "../../gateway/alarmKinds";
import { pathOf } from "../../gateway/selection";
import { useAlarmKinds } from "../../hooks/alarmKinds";
import { Age } from "../../parts/Age";
import { DataTable } from "../../parts/DataTable";
import { useMessages } from "../../hooks/messages";
import { Link } from "../../hooks/router";
import { alarmKindName, alarmText } from "../../text/alarmKinds";
import type { Alarm, Severity } from "./api";
import { messages } from "./messages";

const RANK: Record<Severity, number> = { critical: 0, warning: 1, info: 2 };

/** One row for each alarm. */
export function AlarmTable({
  alarms,
  empty,
  mayOperate,
  onAcknowledge,
  onSilence,
}: {
  alarms: readonly Alarm[];
  empty: string;
  /** Whether the account may acknowledge and silence an alarm. */
  mayOperate: (alarm: Alarm) => boolean;
  onAcknowledge: (alarm: Alarm) => void;
  onSilence: (alarm: Alarm) => void;
}) {
  const words = useMessages(messages);
  const { data: kinds } = useAlarmKinds();
  return (
    <DataTable
      label={words.title}
      rows={alarms}
      keyOf={(alarm) => alarm.id}
      empty={empty}
      columns={[
        {
          key: "severity",
          title: words.columns.severity,
          sort: (alarm) => RANK[alarm.severity],
          cell: (alarm) => <SeverityBadge severity={alarm.severity} />,
        },
        {
          key: "what",
          title: words.columns.what,
          sort: (alarm) => alarmText(alarm),
          cell: (alarm) => <What alarm={alarm} kinds={kinds} />,
        },
        {
          key: "where",
          title: words.columns.where,
          sort: (alarm) => `${alarm.d ?? ""} ${alarm.ep ?? ""}`,
          cell: (alarm) => <Where alarm={alarm} />,
        },
        {
          key: "state",
          title: words.columns.state,
          sort: (alarm) => alarm.state,
          cell: (alarm) => <State alarm={alarm} />,
        },
        {
          key: "raised",
          title: words.columns.raised,
          sort: (alarm) => alarm.raisedAt,
          cell: (alarm) => <Age at={Date.parse(alarm.raisedAt)} />,
        },
        {
          key: "actions",
          title: words.columns.actions,
          cell: (alarm) => (
            <span className="row-actions">
              {alarm.state === "active" && mayOperate(alarm) && (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`${words.acknowledge}: ${alarmText(alarm)}`}
                  onClick={() => onAcknowledge(alarm)}
                >
                  {words.acknowledge}
                </Button>
              )}
              {alarm.state !== "cleared" && !alarm.silenced && mayOperate(alarm) && (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`${words.silence}: ${alarmText(alarm)}`}
                  onClick={() => onSilence(alarm)}
                >
                  {words.silence}
                </Button>
              )}
            </span>
          ),
        },
      ]}
    />
  );
}

const COLOURS: Record<Severity, string> = { critical: "red", warning: "yellow", info: "gray" };

export function SeverityBadge({ severity }: { severity: Severity }) {
  const words = useMessages(messages);
  return (
    <Badge color={COLOURS[severity]} variant="light" data-severity={severity}>
      {words.severity[severity]}
    </Badge>
  );
}

function What({ alarm, kinds }: { alarm: Alarm; kinds: readonly AlarmKind[] | undefined }) {
  const words = useMessages(messages);
  return (
    <span className={alarm.silenced ? "stale" : undefined} data-alarm={alarm.kind}>
      {alarmText(alarm)}
      <small className="under">
        {alarmKindName(kinds, alarm.kind)}
        {alarm.count > 1 && `, ${words.times(alarm.count)}`}
        {alarm.silenced && `, ${words.silenced}`}
      </small>
    </span>
  );
}

function Where({ alarm }: { alarm: Alarm }) {
  const words = useMessages(messages);
  const domain = alarm.d === undefined || alarm.d === "" ? undefined : alarm.d;
  if (alarm.kind === "keys-waiting") return <Link href="/trust">{domain ?? words.keys}</Link>;
  if (alarm.kind === "automation") return <Link href="/automations">{alarm.part}</Link>;
  if (alarm.ep === undefined) {
    const place = [alarm.gateway, alarm.part ?? domain].filter((one) => one !== undefined);
    return <>{place.length === 0 ? words.gateway : place.join(": ")}</>;
  }
  return (
    <span>
      {alarm.endpoint === undefined ? (
        alarm.ep
      ) : (
        <Link href={pathOf({ id: alarm.endpoint })}>{alarm.ep}</Link>
      )}
      {alarm.part !== undefined && `/${alarm.part}`}
      {domain !== undefined && <small className="under">{domain}</small>}
    </span>
  );
}

function State({ alarm }: { alarm: Alarm }) {
  const words = useMessages(messages);
  const { acknowledged, clearedAt } = alarm;
  return (
    <span data-state={alarm.state}>
      {words.state[alarm.state]}
      {clearedAt !== undefined && (
        <small className="under">
          <Age at={Date.parse(clearedAt)} />
        </small>
      )}
      {acknowledged !== undefined && (
        <small className="under">
          {words.byWhom(person(acknowledged.by))}
          {acknowledged.note !== "" && `: ${acknowledged.note}`}
        </small>
      )}
    </span>
  );
}

/** The name of an account without the prefix that distinguishes accounts from other actors. */
export function person(label: string): string {
  return label.replace(/^account:/, "");
}
