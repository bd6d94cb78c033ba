import { Button, SegmentedControl, Skeleton, Text } from "@mantine/core";
import { useEffect, useMemo, useRef, useState } from "react";
import { oneOf } from "../../gateway/json";
import { calibrationOf, type Calibration, type Endpoint, type Resource } from "../../gateway/model";
import { useGateway } from "../../hooks/gateway";
import { useLoaded, type Loaded } from "../../hooks/loaded";
import { CalibratedIcon } from "../../parts/Calibrated";
import { DataTable } from "../../parts/DataTable";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { useMessages } from "../../hooks/messages";
import { useParameters } from "../../hooks/router";
import { isNumber, readable, moment } from "../../text/format";
import { bucketLength } from "./chartData";
import { HistoryChart } from "./HistoryChart";
import { Compare } from "./Compare";
import type { Compared } from "./compared";
import {
  loadAlike,
  loadNewest,
  zoomOf,
  type Buckets,
  type NewestValues,
  type PastSeries,
  type PastValue,
  type Span,
} from "./historyApi";
import { endpointMessages } from "./messages";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SPANS = {
  quarter: 15 * MINUTE,
  hour: HOUR,
  six: 6 * HOUR,
  day: DAY,
  week: 7 * DAY,
  month: 30 * DAY,
  year: 365 * DAY,
};
type SpanName = keyof typeof SPANS;
const NAMES = Object.keys(SPANS) as SpanName[];

/** The maximum number of updates in the table. */
const MAX_ROWS = 200;
/** The minimum interval between showing new readings. */
const PAUSE = 5_000;

interface Past extends Buckets {
  span: Span;
  newest: NewestValues;
  /** The first series of the compared resource; undefined without one or without numbers. */
  other: PastSeries | undefined;
}

/** The history of a resource: charts and values. New readings appear as they arrive. */
export function History({ endpoint, resource }: { endpoint: Endpoint; resource: Resource }) {
  const texts = useMessages(endpointMessages);
  const [parameters, change] = useParameters();
  const name = oneOf(NAMES, parameters.get("span")) ?? "hour";
  const zoom = useMemo(() => zoomOf(parameters), [parameters]);
  const setZoom = (span: Span | undefined) =>
    change({ from: span?.from.toFixed(), to: span?.to.toFixed() });
  const [compared, setCompared] = useState<Compared>();
  const known = JSON.stringify(endpoint.calibrations);
  // Each update brings a new list, for which charts would be computed again.
  const calibrations = useMemo(() => endpoint.calibrations, [known]);
  const calibrationAt = (measured: string) => calibrationOf(calibrations, resource.path, measured);
  const { data: past, problem, reload } = usePast(endpoint, resource, name, zoom, compared);
  const choose = (chosen: string) =>
    change({ span: chosen === "hour" ? undefined : chosen, from: undefined, to: undefined });
  return (
    <>
      <div className="history-tools">
        <SegmentedControl
          size="xs"
          aria-label={texts.span}
          value={name}
          onChange={choose}
          data={NAMES.map((value) => ({
            value,
            label: texts.spans[value],
          }))}
        />
        <Compare
          endpoint={endpoint}
          path={resource.path}
          compared={compared}
          onChange={setCompared}
        />
        {zoom === undefined ? (
          <Text size="sm" c="dimmed">
            {texts.zoomHint}
          </Text>
        ) : (
          <Button size="compact-sm" variant="default" onClick={() => setZoom(undefined)}>
            {texts.resetZoom}
          </Button>
        )}
      </div>
      <ErrorAlert problem={problem} onRetry={reload} />
      {past === undefined && problem === undefined && <Skeleton height={220} radius="md" />}
      {past !== undefined && <Reach past={past} />}
      {past?.series.length === 0 && <Text c="dimmed">{texts.noNumbers}</Text>}
      {past !== undefined && compared !== undefined && past.other === undefined && (
        <Text c="dimmed" size="sm">
          {texts.comparedEmpty(compared.label)}
        </Text>
      )}
      {past?.series.map((series) => (
        <HistoryChart
          key={JSON.stringify([series.name, series.unit, past.other?.unit, compared?.label, known])}
          span={past.span}
          series={series}
          calibration={calibrationAt(series.name)}
          seconds={past.seconds}
          wakeSeconds={endpoint.wakeSeconds}
          other={
            compared === undefined || past.other === undefined
              ? undefined
              : {
                  ...compared,
                  series: past.other,
                  calibration: calibrationOf(compared.calibrations, compared.path, past.other.name),
                }
          }
          onZoom={setZoom}
        />
      ))}
      {past !== undefined && <Values newest={past.newest} calibrationAt={calibrationAt} />}
    </>
  );
}

function usePast(
  { id }: Endpoint,
  { path, seq }: Resource,
  name: SpanName,
  zoom: Span | undefined,
  compared: Compared | undefined,
): Loaded<Past> {
  const { api } = useGateway();
  const other = compared && { id: compared.id, path: compared.path };
  const past = useLoaded(
    JSON.stringify([id, path, name, zoom, other]),
    async () => {
      const now = api.now();
      const span = zoom ?? { from: now - SPANS[name], to: now };
      const resources = [{ id, path }, ...(other === undefined ? [] : [other])];
      const [[buckets, others], newest] = await Promise.all([
        loadAlike(api, resources, span, bucketLength(span)),
        loadNewest(api, id, path, span, MAX_ROWS),
      ]);
      if (buckets === undefined) throw new TypeError("no buckets");
      return { ...buckets, span, newest, other: others?.series[0] };
    },
    PAUSE,
  );
  const { refresh } = past;
  const zoomed = zoom !== undefined;
  const shown = useRef(seq);
  useEffect(() => {
    if (shown.current === seq) return;
    shown.current = seq;
    // A zoomed span lies in the past: new readings do not change it.
    if (!zoomed) refresh();
  }, [seq, zoomed, refresh]);
  return past;
}

/** The data from which the charts were computed, and how far back the gateway has data. */
function Reach({ past: { resolution, valuesSince, aggregatesSince } }: { past: Past }) {
  const texts = useMessages(endpointMessages);
  return (
    <Text size="sm" c="dimmed" data-resolution={resolution}>
      {texts.resolution[resolution]}
      {valuesSince !== undefined && ` ${texts.valuesSince(moment(valuesSince))}`}
      {aggregatesSince !== undefined && ` ${texts.aggregatesSince(moment(aggregatesSince))}`}
    </Text>
  );
}

function Values({
  newest: { values: shown, more },
  calibrationAt,
}: {
  newest: NewestValues;
  calibrationAt: (measured: string) => Calibration | undefined;
}) {
  const texts = useMessages(endpointMessages);
  if (shown.length === 0) return <Text c="dimmed">{texts.noValues}</Text>;
  const names = new Set(shown.map(({ name }) => name)).size;
  return (
    <details className="history-values" data-values={shown.length}>
      <summary>
        {texts.table}: {texts.newest(shown.length, more)}
      </summary>
      <DataTable
        label={texts.table}
        rows={shown}
        keyOf={({ seq, name, measuredAt, recovered, value }) =>
          `${seq} ${name} ${measuredAt} ${recovered ? value : ""}`
        }
        columns={[
          {
            key: "measured",
            title: texts.measured,
            cell: ({ measuredAt }) => (measuredAt === undefined ? "–" : moment(measuredAt)),
            sort: ({ measuredAt }) => measuredAt,
          },
          ...(names < 2
            ? []
            : [
                {
                  key: "name",
                  title: texts.name,
                  cell: ({ name }: PastValue) => <bdi>{name}</bdi>,
                  sort: ({ name }: PastValue) => name,
                },
              ]),
          {
            key: "value",
            title: texts.value,
            number: true,
            cell: ({ name, value, unit, delayed, recovered }) => (
              <bdi title={value}>
                {Object.values(readable(value, unit, calibrationAt(name))).join(" ")}
                {calibrationAt(name) !== undefined && isNumber(value) && <CalibratedIcon />}
                {delayed && ` (${texts.delayed})`}
                {recovered && ` (${texts.recovered})`}
              </bdi>
            ),
            sort: ({ value }) => (Number.isNaN(Number(value)) ? value : Number(value)),
          },
          {
            key: "arrived",
            title: texts.arrivedColumn,
            cell: ({ arrivedAt }) => (arrivedAt === undefined ? "–" : moment(arrivedAt)),
            sort: ({ arrivedAt }) => arrivedAt,
          },
          {
            key: "seq",
            title: texts.number,
            number: true,
            cell: ({ seq }) => seq,
            sort: ({ seq }) => seq,
          },
        ]}
      />
    </details>
  );
}
