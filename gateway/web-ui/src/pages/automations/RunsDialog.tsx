import { Modal, Skeleton, Text } from "@mantine/core";
import { useGateway } from "../../hooks/gateway";
import { useLast, useLoaded, useRepeatedly } from "../../hooks/loaded";
import { useMessages } from "../../hooks/messages";
import { DataTable } from "../../parts/DataTable";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { moment } from "../../text/format";
import { listRuns, type Automation, type Result } from "./api";
import { messages, type Words } from "./messages";
import { causeWords } from "./words";

const INTERVAL = 3000;

/** The last runs of an automation, with the results of its actions. */
export function RunsDialog({
  automation,
  onClose,
}: {
  automation: Automation | undefined;
  onClose: () => void;
}) {
  const words = useMessages(messages);
  const shown = useLast(automation);
  return (
    <Modal
      opened={automation !== undefined}
      onClose={onClose}
      size="xl"
      title={words.runsOf(shown?.name ?? "")}
      // A script would lock scrolling with an inline style.
      lockScroll={false}
      closeButtonProps={{ "aria-label": words.close }}
    >
      {automation !== undefined && <Runs id={automation.id} />}
    </Modal>
  );
}

function Runs({ id }: { id: string }) {
  const { api } = useGateway();
  const words = useMessages(messages);
  const { data, problem, reload } = useLoaded(`runs of ${id}`, () => listRuns(api, id));
  useRepeatedly(reload, INTERVAL);
  if (data === undefined) {
    return problem === undefined ? (
      <Skeleton height={120} radius="md" />
    ) : (
      <ErrorAlert problem={problem} onRetry={reload} />
    );
  }
  if (data.length === 0) return <Text c="dimmed">{words.noRuns}</Text>;
  return (
    <div className="stacked" data-dialog>
      <DataTable
        label={words.runs}
        rows={data}
        keyOf={({ number }) => number.toString()}
        columns={[
          {
            key: "at",
            title: words.runColumns.at,
            cell: ({ at }) => <time dateTime={at}>{moment(Date.parse(at))}</time>,
          },
          {
            key: "why",
            title: words.runColumns.why,
            cell: ({ causes }) => causeWords(causes, words),
          },
          {
            key: "results",
            title: words.runColumns.results,
            cell: ({ results }) => (
              <ul className="plain-list">
                {results.map((result, i) => (
                  <li key={i} data-outcome={result.outcome}>
                    {result.target}: {resultWords(result, words)}
                    {result.text !== undefined && (
                      <small className="under fault">{result.text}</small>
                    )}
                  </li>
                ))}
              </ul>
            ),
          },
        ]}
      />
    </div>
  );
}

function resultWords(result: Result, words: Words): string {
  if (result.command === undefined) return words.outcome[result.outcome];
  const state = result.commandState;
  return `${words.command(result.command)}${
    state === undefined ? "" : `, ${words.commandState[state]}`
  }`;
}
