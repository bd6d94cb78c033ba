import "./overview.css";
import { Skeleton, Title } from "@mantine/core";
import { useDeferredValue, useEffect, useMemo, type ReactNode } from "react";
import { ApiProblem } from "../../gateway/api";
import { useAlarmKinds } from "../../hooks/alarmKinds";
import { useFreshnessTime, useGateway, useGatewayNow, useSnapshot } from "../../hooks/gateway";
import { usePolled } from "../../hooks/polled";
import { Age } from "../../parts/Age";
import { Sparkline } from "../../parts/Chart";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { Page } from "../../parts/Page";
import { useMessages } from "../../hooks/messages";
import { Link } from "../../hooks/router";
import { lastHeard } from "../../gateway/freshness";
import type { Freshness } from "../../gateway/model";
import { alarmKindName, alarmText } from "../../text/alarmKinds";
import { decimal, rejectionWord } from "../../text/format";
import { droppedBy, readAlarms, readRadios } from "./api";
import { overviewMessages } from "./messages";
import { summaryOf, type Summary } from "./summary";

const MAX_LISTED = 8;
const MINUTE = 60;
const RATE = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
const RADIO_INTERVAL = 10_000;
const ALARM_INTERVAL = 30_000;

/** The state of all endpoints, radios and alarms at a glance. */
export default function OverviewPage() {
  const texts = useMessages(overviewMessages);
  const { endpoints, loaded } = useDeferredValue(useSnapshot());
  const now = useDeferredValue(useFreshnessTime());
  const summary = useMemo(() => summaryOf(endpoints, now), [endpoints, now]);
  if (!loaded) {
    return (
      <Page title={texts.title}>
        <Skeleton height={110} radius="md" />
      </Page>
    );
  }
  return (
    <Page title={texts.title}>
      {summary.endpoints === 0 && (
        <p>
          {texts.none} <Link href="/endpoints">{texts.toEndpoints}</Link>
        </p>
      )}
      <div className="figures">
        <StateFigure name={texts.onTime} state="on-time" value={summary.onTime}>
          {texts.endpoints(summary.endpoints)}
        </StateFigure>
        <StateFigure name={texts.late} state="late" value={summary.late}>
          {texts.lateWhat}
        </StateFigure>
        <StateFigure name={texts.missing} state="missing" value={summary.missing}>
          {texts.missingWhat}
        </StateFigure>
        <StateFigure name={texts.notTrusted} state="not-trusted" value={summary.notTrusted}>
          {texts.notTrustedWhat}
        </StateFigure>
        <UpdateRate />
      </div>
      <div className="overview-panels">
        <AttentionPanel {...summary} />
        <AlarmsPanel />
        <RadiosPanel />
        <RejectionsPanel rejections={summary.rejections} />
      </div>
    </Page>
  );
}

/** The number of endpoints in a state; leads to their list. */
function StateFigure({
  name,
  state,
  value,
  children,
}: {
  name: string;
  state: Freshness;
  value: number;
  children: ReactNode;
}) {
  return (
    <Link
      href={`/endpoints?state=${state}`}
      className="panel figure figure-link"
      data-figure={state}
      data-freshness={state}
    >
      <span className="figure-name">
        <span className="dot" aria-hidden />
        {name}
      </span>
      <span className="figure-value numbers">{value}</span>
      <span className="figure-note">{children}</span>
    </Link>
  );
}

function UpdateRate() {
  const texts = useMessages(overviewMessages);
  const { store } = useGateway();
  const now = useGatewayNow();
  const counts = store.rate.last(MINUTE, now);
  const second = Math.floor(now / 1000);
  const sum = counts.reduce((all, count) => all + count, 0);
  const series = [counts.map((_, at) => second - counts.length + at), counts] as const;
  return (
    <div className="panel figure" data-figure="rate">
      <span className="figure-name">{texts.rate}</span>
      <span className="figure-value numbers">
        {counts.length < 3 ? "–" : decimal(sum / counts.length, RATE)}
        {counts.length >= 3 && <Sparkline series={series} />}
      </span>
      <span className="figure-note">{counts.length < 3 ? texts.rateSoon : texts.rateWhat}</span>
    </div>
  );
}

function Panel({
  title,
  name,
  to,
  children,
}: {
  title: string;
  name: string;
  /** The page that shows more. */
  to?: string;
  children: ReactNode;
}) {
  return (
    <section className="panel" aria-labelledby={`panel-${name}`} data-panel={name}>
      <Title order={2} size="h5" id={`panel-${name}`}>
        {to === undefined ? title : <Link href={to}>{title}</Link>}
      </Title>
      {children}
    </section>
  );
}

function AttentionPanel({
  attention,
  heldKeys,
  pendingKeys,
}: Pick<Summary, "attention" | "heldKeys" | "pendingKeys">) {
  const texts = useMessages(overviewMessages);
  const more = attention.length - MAX_LISTED;
  return (
    <Panel title={texts.attention} name="attention">
      {attention.length === 0 && <p className="dimmed">{texts.nothing}</p>}
      {heldKeys + pendingKeys > 0 && (
        <p>
          <Link href="/trust">{texts.keysWait(heldKeys + pendingKeys)}</Link>
        </p>
      )}
      <ul className="overview-list">
        {attention.slice(0, MAX_LISTED).map(({ shown: { endpoint }, reason }) => (
          <li key={endpoint.id} data-reason={reason}>
            <span className="dot" aria-hidden />
            <span>
              <Link href={`/endpoints/${encodeURIComponent(endpoint.id)}`} className="isolated">
                {endpoint.name === "" ? endpoint.ep : endpoint.name}
              </Link>
              : {texts.reasons[reason]}
              {(reason === "missing" || reason === "late") && (
                <span className="dimmed">
                  , {texts.heard} <Age at={lastHeard(endpoint)} />
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p>
          <Link href="/endpoints?state=attention">{texts.more(more)}</Link>
        </p>
      )}
    </Panel>
  );
}

function AlarmsPanel() {
  const texts = useMessages(overviewMessages);
  const { alarms: events } = useGateway();
  const { data: kinds } = useAlarmKinds();
  const { data, problem, reload } = usePolled("api/alarms?state=open", readAlarms, ALARM_INTERVAL);
  useEffect(() => events.subscribe(reload), [events, reload]);
  return (
    <Panel title={texts.alarms} name="alarms" to="/alarms">
      {data === undefined && <ErrorAlert problem={problem} onRetry={reload} />}
      {data?.alarms.length === 0 && <p className="dimmed">{texts.noAlarms}</p>}
      <ul className="overview-list">
        {data?.alarms.slice(0, MAX_LISTED).map((alarm) => (
          <li key={alarm.id} data-severity={alarm.severity}>
            <span className="dot" aria-hidden />
            <span>
              {alarm.endpoint === undefined ? (
                <span className="isolated">{alarmText(alarm)}</span>
              ) : (
                <Link
                  href={`/endpoints/${encodeURIComponent(alarm.endpoint)}`}
                  className="isolated"
                >
                  {alarmText(alarm)}
                </Link>
              )}
              <span className="dimmed">
                , {alarmKindName(kinds, alarm.kind)}, <Age at={Date.parse(alarm.raisedAt)} />
                {alarm.state === "acknowledged" && `, ${texts.acknowledged}`}
                {alarm.silenced && `, ${texts.silenced}`}
              </span>
            </span>
          </li>
        ))}
      </ul>
      {data !== undefined && (data.next !== undefined || data.alarms.length > MAX_LISTED) && (
        <p className="dimmed">{texts.moreAlarms}</p>
      )}
    </Panel>
  );
}

function RadiosPanel() {
  const texts = useMessages(overviewMessages);
  const { data, problem, reload } = usePolled("api/network", readRadios, RADIO_INTERVAL);
  const none = problem instanceof ApiProblem && problem.status === 404;
  return (
    <Panel title={texts.radios} name="radios" to="/network">
      {none && <p className="dimmed">{texts.noRadio}</p>}
      {!none && data === undefined && <ErrorAlert problem={problem} onRetry={reload} />}
      <ul className="overview-list">
        {data?.map(({ name, up, frames, sent, waiting, dropped }) => (
          <li key={name} data-up={up}>
            <span className="dot" aria-hidden />
            <span>
              <strong>{name}</strong> {up ? texts.up : texts.down}
              <br />
              <span className="dimmed numbers">
                {texts.radioFacts(frames, sent, waiting, droppedBy({ dropped }))}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function RejectionsPanel({ rejections }: Pick<Summary, "rejections">) {
  const texts = useMessages(overviewMessages);
  const most = Math.max(1, ...rejections.map(([, count]) => count));
  return (
    <Panel title={texts.rejections} name="rejections">
      {rejections.length === 0 && <p className="dimmed">{texts.noRejections}</p>}
      <ul className="bars">
        {rejections.map(([reason, count]) => (
          <li key={reason}>
            <span>{rejectionWord(reason)}</span>
            <meter min={0} max={most} value={count} aria-hidden />
            <span className="numbers">{count}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
