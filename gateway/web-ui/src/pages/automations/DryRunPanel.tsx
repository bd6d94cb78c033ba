import { Alert, Button, NativeSelect } from "@mantine/core";
import { useState } from "react";
import { useGateway } from "../../hooks/gateway";
import { useAction } from "../../hooks/loaded";
import { useMessages } from "../../hooks/messages";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { moment } from "../../text/format";
import { dryRun, type AutomationSettings, type DryRun } from "./api";
import type { AutomationDraft } from "./drafts";
import { messages } from "./messages";
import { causeWords } from "./words";

const SPANS = [1, 7, 31];
const SHOWN = 20;

/** A button that evaluates the automation in the form with stored values, and the result. */
export function DryRunPanel({
  draft,
  settings,
  ready,
}: {
  draft: AutomationDraft;
  settings: () => AutomationSettings;
  ready: boolean;
}) {
  const { api } = useGateway();
  const words = useMessages(messages);
  const [days, setDays] = useState(7);
  const [done, setDone] = useState<{ draft: AutomationDraft; days: number; result: DryRun }>();
  const run = useAction(async () => {
    const result = await dryRun(api, draft.id, settings(), days);
    setDone({ draft, days, result });
  });
  return (
    <div className="automation-dry-run">
      <div className="filters">
        <NativeSelect
          aria-label={words.dryRunDays}
          value={days.toString()}
          onChange={(event) => setDays(Number(event.currentTarget.value))}
          data={SPANS.map((span) => ({
            value: span.toString(),
            label: `${span} ${words.dryRunDays}`,
          }))}
        />
        <Button
          variant="default"
          disabled={!ready}
          loading={run.busy}
          onClick={() => void run.run()}
        >
          {words.dryRun}
        </Button>
        <small className="under">{words.dryRunHelp}</small>
      </div>
      <ErrorAlert problem={run.problem} />
      {/* A result of other fields would mislead. */}
      <div role="status">
        {done !== undefined && done.draft === draft && (
          <Result result={done.result} days={done.days} />
        )}
      </div>
    </div>
  );
}

function Result({ result, days }: { result: DryRun; days: number }) {
  const words = useMessages(messages);
  return (
    <Alert color="cyan" data-dry-run={result.count} title={words.wouldRun(result.count, days)}>
      {result.problem !== undefined && (
        <p className="automation-fault">
          {words.cannotSave}: {result.problem}
        </p>
      )}
      <ol className="plain-list">
        {result.runs.slice(0, SHOWN).map(({ at, causes, suspended }) => (
          <li key={at}>
            <time dateTime={at}>{moment(Date.parse(at))}</time>:{" "}
            {suspended ? words.wouldSuspend : causeWords(causes, words)}
          </li>
        ))}
        {result.runs.length > SHOWN && <li>…</li>}
      </ol>
      <ul className="plain-list under">
        {result.sources.map((one, i) => (
          <li key={i}>
            {one.first === undefined
              ? words.noReadings(`${one.path}, ${one.ep}`)
              : words.readings(
                  `${one.path}, ${one.ep}`,
                  words.source[one.source],
                  moment(Date.parse(one.first)),
                )}
            {!one.complete && `; ${words.incomplete}`}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
