import "./network.css";
import { Alert, Text, Title } from "@mantine/core";
import { useMemo, useState } from "react";
import { ApiProblem } from "../../gateway/api";
import { useGateway } from "../../hooks/gateway";
import { usePolled } from "../../hooks/polled";
import { useSession } from "../../hooks/session";
import { Done } from "../../parts/Done";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { Page } from "../../parts/Page";
import { Warning } from "../../parts/icons";
import { useMessages } from "../../shell/messages";
import { hasRoleEverywhere } from "../../shell/roles";
import { Actions, ForgiveDialog } from "./Actions";
import { readNetwork, type Neighbour, type Network } from "./api";
import { Drops } from "./Drops";
import { graphOf } from "./graph";
import { Legend, MeshGraph } from "./MeshGraph";
import { networkMessages } from "./messages";
import { NodePanel } from "./NodePanel";
import { NodeTable } from "./NodeTable";

/** The radio network: a picture of the mesh, its nodes, what was dropped, and actions. */
export default function NetworkPage() {
  const texts = useMessages(networkMessages);
  const { data, problem, reload } = usePolled("api/network", readNetwork);
  if (problem instanceof ApiProblem && problem.status === 404) {
    return (
      <Page title={texts.title}>
        <Alert color="gray" title={texts.noRadio} data-no-radio>
          {texts.noRadioWhat}
        </Alert>
      </Page>
    );
  }
  return (
    <Page title={texts.title}>
      <ErrorAlert problem={problem} />
      {data !== undefined && <Shown network={data} onChange={() => void reload()} />}
    </Page>
  );
}

function Shown({ network, onChange }: { network: Network; onChange: () => void }) {
  const texts = useMessages(networkMessages);
  const { api } = useGateway();
  const operates = hasRoleEverywhere(useSession(), "operator");
  const graph = useMemo(() => graphOf(network, api.now()), [api, network]);
  const [selected, setSelected] = useState<string>();
  const [forgiving, setForgiving] = useState<Neighbour>();
  const [done, setDone] = useState<string>();
  const carriedOut = (sentence: string) => {
    setDone(sentence);
    onChange();
  };
  return (
    <>
      <Facts network={network} />
      {network.radios
        .filter(({ up }) => !up)
        .map(({ name }) => (
          <Alert
            key={name}
            color="red"
            icon={<Warning size={20} />}
            title={texts.radioIsDown(name)}
            data-radio-down={name}
          >
            {texts.radioIsDownWhat}
          </Alert>
        ))}
      <Done sentence={done} />
      <section className="panel mesh-panel" aria-labelledby="mesh-title">
        <Title order={2} size="h4" id="mesh-title">
          {texts.graph}
        </Title>
        <Text size="sm" c="dimmed">
          {graph.nodes.length === 0 ? texts.nobody : texts.graphWhat}
        </Text>
        {graph.nodes.length > 0 && (
          <>
            <MeshGraph graph={graph} selected={selected} onSelect={setSelected} />
            <Legend />
          </>
        )}
      </section>
      <NodeTable nodes={graph.nodes} onSelect={setSelected} />
      {network.others.frames > 0 && (
        <Text size="sm" c="dimmed">
          {texts.others(String(network.others.frames))}
        </Text>
      )}
      <Drops drops={network.drops} />
      {operates ? (
        <Actions captureReaders={network.captureReaders} onDone={carriedOut} />
      ) : (
        <Text size="sm" c="dimmed">
          {texts.onlyOperators}
        </Text>
      )}
      <NodePanel
        node={graph.nodes.find(({ id }) => id === selected)}
        operates={operates}
        onForgive={setForgiving}
        onClose={() => setSelected(undefined)}
      />
      <ForgiveDialog
        neighbour={forgiving}
        onDone={carriedOut}
        onClose={() => setForgiving(undefined)}
      />
    </>
  );
}

function Facts({ network }: { network: Network }) {
  const texts = useMessages(networkMessages);
  const { facts } = texts;
  const dropped = Object.values(network.drops).reduce((sum, one) => sum + one, 0);
  const shown: [string, string][] = [
    [
      facts.radios,
      network.radios
        .map(({ name, up, waiting }) => {
          const state = up ? texts.radioUp(name) : texts.radioDown(name);
          return waiting > 0 ? `${state}, ${texts.radioWaiting(waiting)}` : state;
        })
        .join("; "),
    ],
    [facts.channel, network.channel === undefined ? "–" : String(network.channel)],
    [facts.pan, network.panId],
    [facts.prefix, network.prefix],
    [facts.routes, String(network.routes)],
    [
      facts.version,
      network.dodagVersion === undefined ? facts.notRoot : String(network.dodagVersion),
    ],
    [facts.drops, String(dropped)],
  ];
  return (
    <dl className="mesh-summary">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="numbers">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
