import "./network.css";
import { Alert, Text, TextInput, Title } from "@mantine/core";
import { startTransition, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { ApiProblem } from "../../gateway/api";
import { same } from "../../gateway/same";
import { useChanges } from "../../hooks/changes";
import { useGateway, useGatewayNow, useSnapshot } from "../../hooks/gateway";
import { useLoaded } from "../../hooks/loaded";
import { useSession } from "../../hooks/session";
import { Done } from "../../parts/Done";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { Page } from "../../parts/Page";
import { Search, Warning } from "../../parts/icons";
import { useMessages } from "../../hooks/messages";
import { useParameters } from "../../hooks/router";
import { hasRoleEverywhere } from "../../gateway/roles";
import { grouped } from "../../text/format";
import { Actions, ForgiveDialog } from "./Actions";
import { readNetwork, type Neighbour, type Network } from "./api";
import { Drops } from "./Drops";
import { endpointsByNode, graphOf, search, type Endpoints } from "./graph";
import { changed, needsReading } from "./live";
import { Legend, MeshGraph } from "./MeshGraph";
import { networkMessages } from "./messages";
import { NodePanel } from "./NodePanel";
import { NodeTable } from "./NodeTable";
import { StoredSettings } from "./StoredSettings";
import { Terms } from "./Terms";

const SILENCE_STEP = 10_000;

/** The radio network: a picture of the mesh, its nodes, what was dropped, and actions. */
export default function NetworkPage() {
  const texts = useMessages(networkMessages);
  const { api } = useGateway();
  const { data, problem, reload, refresh, change } = useLoaded("network", async () =>
    readNetwork(await api.json("api/network"), api.now()),
  );
  useChanges((event) => {
    // An answer in transit may be older than the event.
    if (data === undefined || needsReading(event)) refresh();
    else change((before) => changed(before, event, api.now()));
  });
  // Rendered in pieces so that the browser stays responsive with hundreds of nodes.
  const network = useDeferredValue(data);
  if (problem instanceof ApiProblem && problem.status === 404) {
    return (
      <Page title={texts.title}>
        <Alert color="gray" title={texts.noRadio} data-no-radio>
          {texts.noRadioWhat}
        </Alert>
        <StoredSettings />
      </Page>
    );
  }
  return (
    <Page title={texts.title}>
      <ErrorAlert problem={problem} />
      {network !== undefined && <Shown network={network} onChange={reload} />}
      <StoredSettings />
    </Page>
  );
}

function Shown({ network, onChange }: { network: Network; onChange: () => void }) {
  const texts = useMessages(networkMessages);
  const operates = hasRoleEverywhere(useSession(), "operator");
  // Nodes fall silent without an event, but the picture need not be laid out every second.
  const now = Math.floor(useGatewayNow() / SILENCE_STEP) * SILENCE_STEP;
  const endpoints = useEndpointsByNode();
  const graph = useMemo(() => graphOf(network, now, endpoints), [now, network, endpoints]);
  const [parameters, changeParameters] = useParameters();
  const text = parameters.get("text") ?? "";
  const matches = useMemo(() => search(graph.nodes, text), [graph, text]);
  const ids = matches?.map(({ id }) => id).join(" ");
  const found = useMemo(() => (ids === undefined ? undefined : new Set(ids.split(" "))), [ids]);
  const complete = useLater();
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
            <TextInput
              type="search"
              className="mesh-search"
              aria-label={texts.search}
              placeholder={texts.searchHint}
              value={text}
              leftSection={<Search size={15} />}
              onChange={(event) =>
                changeParameters({ text: event.currentTarget.value || undefined })
              }
            />
            {matches !== undefined && (
              <Text size="sm" role="status" data-matches={matches.length}>
                {texts.found(matches.length)}
              </Text>
            )}
            <MeshGraph graph={graph} selected={selected} found={found} onSelect={setSelected} />
            <Legend />
          </>
        )}
      </section>
      {complete && (
        <>
          <Terms />
          <NodeTable nodes={matches ?? graph.nodes} onSelect={setSelected} />
          {network.others.frames > 0 && (
            <Text size="sm" c="dimmed">
              {texts.others(grouped(network.others.frames))}
            </Text>
          )}
          <Drops drops={network.drops} />
          {operates ? (
            <Actions captureReaders={network.capture.readers} onDone={carriedOut} />
          ) : (
            <Text size="sm" c="dimmed">
              {texts.onlyOperators}
            </Text>
          )}
        </>
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

/**
 * False at first and true in a later rendering, so that a large page appears in two shorter tasks.
 */
function useLater(): boolean {
  const [later, setLater] = useState(false);
  useEffect(() => startTransition(() => setLater(true)), []);
  return later;
}

/** The same map until a name or a node changes; values do not change it. */
function useEndpointsByNode(): Endpoints {
  const { endpoints } = useSnapshot();
  const present = useMemo(() => endpointsByNode(endpoints), [endpoints]);
  const kept = useRef(present);
  if (!same(kept.current, present)) kept.current = present;
  return kept.current;
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
    [facts.channel, String(network.radio.channel)],
    [facts.pan, network.radio.panId],
    [facts.prefix, network.radio.prefix],
    [facts.routes, String(network.routes)],
    [
      facts.version,
      network.dodagVersion === undefined ? facts.notRoot : String(network.dodagVersion),
    ],
    [facts.drops, grouped(dropped)],
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
