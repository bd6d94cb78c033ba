import { useGateway } from "../../hooks/gateway";
import { useLoaded } from "../../hooks/loaded";
import { DataTable } from "../../parts/DataTable";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { useMessages } from "../../hooks/messages";
import { duration, grouped } from "../../text/format";
import { listDestinations, type Destination } from "./api";
import { isForbidden } from "./forbidden";
import { messages } from "./messages";

/** The systems that receive readings of motes, and their backlog. */
export function SystemsPanel() {
  const { api } = useGateway();
  const words = useMessages(messages);
  const { data, problem, reload } = useLoaded("destinations", () => listDestinations(api));
  if (isForbidden(problem)) return null;
  return (
    <section className="panel stacked" data-panel="systems">
      <h2>{words.systems}</h2>
      <p className="dimmed">{words.systemsHelp}</p>
      <ErrorAlert problem={problem} onRetry={reload} />
      {data?.length === 0 && <p>{words.noSystems}</p>}
      {data !== undefined && data.length > 0 && <Destinations destinations={data} />}
    </section>
  );
}

function Destinations({ destinations }: { destinations: readonly Destination[] }) {
  const words = useMessages(messages);
  const state = ({ error, succeededAt }: Destination) =>
    error !== undefined
      ? words.failing(error)
      : succeededAt === undefined
        ? words.waiting
        : words.fine;
  const number = (key: "waiting" | "delivered" | "lost") => ({
    key,
    title: words.systemColumns[key],
    sort: (one: Destination) => one[key],
    cell: (one: Destination) => grouped(one[key]),
    number: true,
  });
  return (
    <DataTable
      label={words.systems}
      rows={destinations}
      keyOf={({ name }) => name}
      columns={[
        {
          key: "name",
          title: words.systemColumns.name,
          sort: ({ name }) => name,
          cell: ({ name }) => name,
        },
        number("waiting"),
        {
          key: "lag",
          title: words.systemColumns.lag,
          sort: ({ lagSeconds }) => lagSeconds,
          cell: ({ lagSeconds }) => duration(lagSeconds * 1000),
          number: true,
        },
        number("delivered"),
        number("lost"),
        { key: "state", title: words.systemColumns.state, sort: state, cell: state },
      ]}
    />
  );
}
