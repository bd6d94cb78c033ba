import { Alert, Button } from "@mantine/core";
import { useState } from "react";
import { hasRoleEverywhere } from "../../gateway/roles";
import { useGateway } from "../../hooks/gateway";
import { useAction, useLoaded } from "../../hooks/loaded";
import { useMessages } from "../../hooks/messages";
import { useSession } from "../../hooks/session";
import { DataTable } from "../../parts/DataTable";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { duration, grouped } from "../../text/format";
import { listDestinations, testDestination, type Destination, type DestinationTest } from "./api";
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
  const mayTest = hasRoleEverywhere(useSession(), "administrator");
  const test = useTest();
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
  const button = {
    key: "test",
    title: words.systemColumns.test,
    cell: ({ name, testable }: Destination) =>
      testable && (
        <Button
          size="xs"
          variant="default"
          loading={test.running === name}
          disabled={test.running !== undefined}
          aria-label={words.testOf(name)}
          onClick={() => void test.run(name)}
        >
          {words.test}
        </Button>
      ),
  };
  return (
    <>
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
          ...(mayTest ? [button] : []),
        ]}
      />
      <ErrorAlert problem={test.problem} />
      <div role="status">
        {test.tested?.result !== undefined && (
          <Result name={test.tested.name} result={test.tested.result} />
        )}
      </div>
    </>
  );
}

/** The answer of the other side, which most servers write in English. */
function Result({ name, result: { accepted, answer } }: { name: string; result: DestinationTest }) {
  const words = useMessages(messages);
  return (
    <Alert color={accepted ? "teal" : "red"} data-test={accepted ? "accepted" : "refused"}>
      {accepted ? words.testAccepted(name) : words.testRefused(name)}
      <span className="problem-detail" lang="en">
        {answer}
      </span>
    </Alert>
  );
}

/** Tests one destination at a time. */
function useTest() {
  const { api } = useGateway();
  const [tested, setTested] = useState<{ name: string; result?: DestinationTest }>();
  const { busy, problem, run } = useAction(async (name: string) => {
    setTested({ name });
    setTested({ name, result: await testDestination(api, name) });
  });
  return { running: busy ? tested?.name : undefined, tested, problem, run };
}
