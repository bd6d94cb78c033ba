import { useGateway } from "../../hooks/gateway";
import { useLoaded } from "../../hooks/loaded";
import { Age } from "../../parts/Age";
import { DataTable } from "../../parts/DataTable";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { useMessages } from "../../hooks/messages";
import { listDirectories, type Directory } from "./api";
import { isForbidden } from "./forbidden";
import { messages } from "./messages";

/** The directories that also list the gateway's endpoints. */
export function DirectoriesPanel() {
  const { api } = useGateway();
  const words = useMessages(messages);
  const { data, problem, reload } = useLoaded("directories", () => listDirectories(api));
  if (isForbidden(problem)) return null;
  const state = ({ error, succeededAt }: Directory) =>
    error !== undefined
      ? words.failing(error)
      : succeededAt === undefined
        ? words.waiting
        : words.fine;
  return (
    <section className="panel stacked" data-panel="directories">
      <h2>{words.directories}</h2>
      <p className="dimmed">{words.directoriesHelp}</p>
      <ErrorAlert problem={problem} onRetry={reload} />
      {data?.length === 0 && <p>{words.noDirectories}</p>}
      {data !== undefined && data.length > 0 && (
        <DataTable
          label={words.directories}
          rows={data}
          keyOf={({ address }) => address}
          columns={[
            {
              key: "address",
              title: words.columns.address,
              sort: ({ address }) => address,
              cell: ({ address }) => <code>{address}</code>,
            },
            {
              key: "shown",
              title: words.columns.shown,
              sort: ({ shown }) => shown,
              cell: ({ shown }) => shown,
              number: true,
            },
            { key: "state", title: words.columns.state, sort: state, cell: state },
            {
              key: "succeeded",
              title: words.columns.succeeded,
              sort: ({ succeededAt }) => succeededAt,
              cell: ({ succeededAt }) => (
                <Age at={succeededAt === undefined ? undefined : Date.parse(succeededAt)} />
              ),
            },
          ]}
        />
      )}
    </section>
  );
}
