import "./cost.css";
import { Text, Title } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { usePolled } from "../../hooks/polled";
import { DataTable, type Column } from "../../parts/DataTable";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { Page } from "../../parts/Page";
import { useMessages } from "../../hooks/messages";
import { decimal } from "../../text/format";
import { FIRST, keyOf, pathOf, readCosts, TRANSPORTS, type Configuration, type Costs } from "./api";
import { CoursePlot } from "./CoursePlot";
import { costMessages } from "./messages";
import { QuestionForm } from "./QuestionForm";

const SHOWN = 20;

/** Cost of security for a mote: octets, energy, latency and battery life, by the gateway's model. */
export default function CostPage() {
  const texts = useMessages(costMessages);
  const [question, setQuestion] = useState(FIRST);
  const { data, problem } = usePolled(pathOf(question), readCosts, 0);
  return (
    <Page title={texts.title}>
      <Text size="sm" c="dimmed">
        {texts.what}
      </Text>
      <QuestionForm
        question={question}
        onChange={(change) => setQuestion((before) => ({ ...before, ...change }))}
      />
      <ErrorAlert problem={problem} />
      {data !== undefined && <Answer costs={data} />}
    </Page>
  );
}

function Answer({ costs }: { costs: Costs }) {
  const texts = useMessages(costMessages);
  return (
    <>
      <div className="cost-choices">
        <Choice title={texts.chosen} choice={costs.chosen} name="chosen" />
        {costs.cheapest !== undefined && (
          <Choice title={texts.cheapest} choice={costs.cheapest} name="cheapest" />
        )}
      </div>
      <div className="cost-plots">
        <CoursePlot title={texts.byPayload} course={costs.byPayload} />
        <CoursePlot title={texts.byWake} course={costs.byWake} logarithmic />
      </div>
      <Title order={2} size="h4">
        {texts.list}
      </Title>
      <Configurations configurations={costs.configurations.slice(0, SHOWN)} />
    </>
  );
}

function useNames() {
  const texts = useMessages(costMessages);
  return {
    transport: (name: string) => {
      const known = TRANSPORTS.find((one) => one === name);
      return known === undefined ? name : texts.transports[known];
    },
    days: (days: number) => texts.days(round(days)),
    texts,
  };
}

function round(value: number): string {
  return decimal(value, { maximumSignificantDigits: value < 1000 ? 3 : 4 });
}

function Choice({ title, choice, name }: { title: string; choice: Configuration; name: string }) {
  const { texts, transport, days } = useNames();
  return (
    <section className="cost-choice" data-choice={name}>
      <Title order={2} size="h4">
        {title}
      </Title>
      <dl>
        <Fact name={texts.level}>{choice.level}</Fact>
        <Fact name={texts.transport}>{transport(choice.transport)}</Fact>
        <Fact name={texts.signed}>{choice.signed ? texts.yes : texts.no}</Fact>
        <Fact name={texts.octets}>{choice.octets}</Fact>
        <Fact name={texts.fragments}>{choice.fragments}</Fact>
        <Fact name={texts.energy}>{round(choice.microjoules)} µJ</Fact>
        <Fact name={texts.mote}>{round(choice.moteMicrojoules)} µJ</Fact>
        <Fact name={texts.latency}>{round(choice.latencySeconds * 1000)} ms</Fact>
        <Fact name={texts.life}>{days(choice.batteryDays)}</Fact>
        <Fact name={texts.alwaysOn}>{days(choice.alwaysOnDays)}</Fact>
      </dl>
    </section>
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

function Configurations({ configurations }: { configurations: readonly Configuration[] }) {
  const { texts, transport } = useNames();
  const amount = (
    key: "octets" | "fragments" | "microjoules" | "latencySeconds" | "batteryDays",
    factor = 1,
  ): Column<Configuration> => ({
    key,
    title: texts.columns[key],
    cell: (one) => round(one[key] * factor),
    sort: (one) => one[key],
    number: true,
  });
  const columns: Column<Configuration>[] = [
    { key: "level", title: texts.level, cell: ({ level }) => level, sort: ({ level }) => level },
    {
      key: "transport",
      title: texts.transport,
      cell: (one) => transport(one.transport),
      sort: (one) => one.transport,
    },
    {
      key: "signed",
      title: texts.signed,
      cell: ({ signed }) => (signed ? texts.yes : texts.no),
      sort: ({ signed }) => Number(signed),
    },
    amount("octets"),
    amount("fragments"),
    amount("microjoules"),
    amount("latencySeconds", 1000),
    amount("batteryDays"),
  ];
  return (
    <DataTable
      label={texts.list}
      columns={columns}
      rows={configurations}
      keyOf={keyOf}
      order={{ column: "microjoules", descending: false }}
    />
  );
}
