import { Button, Group, Text } from "@mantine/core";
import {
  memo,
  startTransition,
  useCallback,
  useEffect,
  useMemo,
  useState,
  type KeyboardEvent,
} from "react";
import { useMessages } from "../../hooks/messages";
import { shortName } from "./addresses";
import { caption, kindOf, nameOf, qualityOf, wayTo, type Graph, type GraphNode } from "./graph";
import { treeLayout, type Cluster, type Placed } from "../../parts/meshLayout";
import { networkMessages } from "./messages";
import { useZoom } from "./useZoom";

const RADIUS = 19;
/** Half the width of the gateway and of a cluster. */
const HALF = 46;
/** With fewer matches than this, their clusters are opened. */
const FEW = 25;
const LEAST_HEIGHT = 180;
const MOST_HEIGHT = 620;

/** The mesh as a tree: the gateway on the left, each mote right of its parent. */
export const MeshGraph = memo(function MeshGraph({
  graph,
  selected,
  found,
  onSelect,
}: {
  graph: Graph;
  selected: string | undefined;
  /** The nodes that a search found; undefined without a search. */
  found: ReadonlySet<string> | undefined;
  onSelect: (id: string) => void;
}) {
  const texts = useMessages(networkMessages);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  // Hundreds of motes appear in pieces, so that the browser stays responsive.
  const change = useCallback(
    (to: (before: ReadonlySet<string>) => ReadonlySet<string>) =>
      startTransition(() => setOpened(to)),
    [],
  );
  const nodes = useMemo(() => new Map(graph.nodes.map((node) => [node.id, node])), [graph]);
  const layout = useMemo(() => {
    const tree = graph.nodes.map((node) => ({
      id: node.id,
      parent: node.parent,
      kind: kindOf(node),
      name: nameOf(node) || shortName(node.id),
    }));
    const closed = treeLayout(graph.root, tree, opened);
    const few = found !== undefined && found.size < FEW ? found : new Set<string>();
    const wanted = closed.clusters.filter(({ members }) => members.some(({ id }) => few.has(id)));
    if (wanted.length === 0) return closed;
    return treeLayout(graph.root, tree, new Set([...opened, ...wanted.map(({ id }) => id)]));
  }, [graph, opened, found]);
  const places = useMemo(() => new Map(layout.nodes.map((place) => [place.id, place])), [layout]);
  const { frame, content, by, fit, reveal } = useZoom(layout.width, layout.height);
  const first = found?.values().next().value;
  useEffect(() => {
    const place = first === undefined ? undefined : places.get(first);
    if (place !== undefined) reveal(place.x, place.y);
    // A search moves the picture once, not with each change of the network.
  }, [first, reveal]);
  const open = useCallback(
    (cluster: string) => change((before) => new Set([...before, cluster])),
    [change],
  );
  return (
    <>
      <Group gap="xs" className="mesh-tools">
        <Button.Group>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => by(1.3)}
            aria-label={texts.zoomIn}
          >
            +
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => by(1 / 1.3)}
            aria-label={texts.zoomOut}
          >
            −
          </Button>
          <Button size="compact-sm" variant="default" onClick={fit}>
            {texts.fit}
          </Button>
        </Button.Group>
        {layout.clusters.length > 0 && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() =>
              change(({ size }) => new Set(size > 0 ? [] : layout.clusters.map(({ id }) => id)))
            }
          >
            {opened.size > 0 ? texts.closeClusters : texts.openClusters}
          </Button>
        )}
        <Text size="sm" c="dimmed">
          {texts.zoomHint}
        </Text>
      </Group>
      <svg
        ref={frame}
        className="mesh"
        style={{ height: Math.min(MOST_HEIGHT, Math.max(LEAST_HEIGHT, layout.height)) }}
        role="group"
        aria-label={texts.graph}
        data-clusters={layout.clusters.length}
      >
        <g ref={content}>
          {layout.nodes.map(({ id, parent, x, y, cluster }) => {
            const above = parent === undefined ? undefined : places.get(parent);
            if (above === undefined) return null;
            const node = nodes.get(cluster?.members[0]?.id ?? id);
            return (
              <Edge
                key={id}
                between={`${above.id} ${id}`}
                path={line(above, x, y)}
                link={node?.link ?? "none"}
                quality={
                  above.depth === 0 && cluster === undefined
                    ? qualityOf(node?.neighbour)
                    : undefined
                }
              />
            );
          })}
          {layout.nodes.map((place) => {
            if (place.cluster !== undefined) {
              return (
                <ClusterOfMotes
                  key={place.id}
                  place={place}
                  cluster={place.cluster}
                  found={found}
                  onOpen={open}
                />
              );
            }
            const node = nodes.get(place.id);
            if (node === undefined) return <Gateway key={place.id} place={place} />;
            return (
              <Mote
                key={place.id}
                {...shownOf(node)}
                x={place.x}
                y={place.y}
                depth={place.depth}
                leaf={place.leaf}
                dim={found !== undefined && !found.has(place.id)}
                selected={place.id === selected}
                onSelect={onSelect}
                reveal={reveal}
              />
            );
          })}
        </g>
      </svg>
    </>
  );
});

/** A line from the right of a parent to the left of its child. */
function line(above: Placed, x: number, y: number): string {
  const from = above.x + (above.depth === 0 ? HALF : RADIUS);
  const middle = (from + x - RADIUS) / 2;
  return `M${from} ${above.y}C${middle} ${above.y} ${middle} ${y} ${x - RADIUS} ${y}`;
}

const Edge = memo(function Edge({
  between,
  path,
  link,
  quality,
}: {
  between: string;
  path: string;
  link: string;
  quality: string | undefined;
}) {
  return (
    <path
      className="mesh-edge"
      data-edge={between}
      data-link={link}
      data-quality={quality}
      d={path}
    />
  );
});

function Gateway({ place }: { place: Placed }) {
  const texts = useMessages(networkMessages);
  return (
    <g transform={`translate(${place.x} ${place.y})`} className="mesh-gateway" data-root={place.id}>
      <rect x={-HALF} y={-19} width={2 * HALF} height={38} rx={19} />
      <text dy="0.35em">{texts.gateway}</text>
    </g>
  );
}

/**
 * The displayed state of a mote: only texts and flags, so that an unchanged mote is not rendered
 * again.
 */
function shownOf(node: GraphNode) {
  return {
    id: node.id,
    reach: node.reach,
    way: wayTo(node),
    name: nameOf(node),
    caption: caption(node),
    secured: (node.neighbour?.level ?? 0) > 0,
  };
}

function onKey(event: KeyboardEvent, action: () => void): void {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  action();
}

const Mote = memo(function Mote({
  id,
  reach,
  way,
  name,
  caption,
  secured,
  x,
  y,
  depth,
  leaf,
  dim,
  selected,
  onSelect,
  reveal,
}: ReturnType<typeof shownOf> & {
  x: number;
  y: number;
  depth: number | undefined;
  leaf: boolean;
  /** Whether a search did not find it. */
  dim: boolean;
  selected: boolean;
  onSelect: (id: string) => void;
  reveal: (x: number, y: number) => void;
}) {
  const texts = useMessages(networkMessages);
  const short = shortName(id);
  const full = name === "" ? short : `${short}, ${name}`;
  const route =
    way === undefined ? [] : [way === "heard" ? texts.heardDirectly : texts.hopsCount(way)];
  return (
    <g
      transform={`translate(${x} ${y})`}
      className="mesh-mote"
      role="button"
      tabIndex={0}
      aria-label={texts.nodeLabel([full, ...route, texts.reach[reach]].join(", "))}
      aria-pressed={selected}
      data-node={id}
      data-reach={reach}
      data-depth={depth}
      data-dim={dim || undefined}
      onClick={() => onSelect(id)}
      onFocus={() => reveal(x, y)}
      onKeyDown={(event) => onKey(event, () => onSelect(id))}
    >
      <circle r={RADIUS} />
      {/* The space separates both texts in the accessible name. */}
      <text dy="0.35em">{short}</text>{" "}
      <text
        className="mesh-caption"
        data-beside={leaf || undefined}
        x={leaf ? RADIUS + 7 : 0}
        y={leaf ? 0 : -RADIUS - 6}
        dy={leaf ? "0.35em" : undefined}
      >
        {caption}
      </text>
      {secured && (
        <path
          className="mesh-lock"
          transform={`translate(${RADIUS - 9} ${RADIUS - 12})`}
          d="M1 6h10v7H1zM3 6V4a3 3 0 0 1 6 0v2"
        />
      )}
    </g>
  );
});

function ClusterOfMotes({
  place,
  cluster: { id, kind, members },
  found,
  onOpen,
}: {
  place: Placed;
  cluster: Cluster;
  found: ReadonlySet<string> | undefined;
  onOpen: (id: string) => void;
}) {
  const texts = useMessages(networkMessages);
  const [first, last] = [members[0]?.name ?? "", members.at(-1)?.name ?? ""];
  const matches = found && members.filter((member) => found.has(member.id)).length;
  const count = texts.motes(members.length);
  return (
    <g
      transform={`translate(${place.x} ${place.y})`}
      className="mesh-cluster"
      role="button"
      tabIndex={0}
      aria-label={texts.clusterLabel(count, texts.kind[kind], first, last)}
      data-cluster={id}
      data-kind={kind}
      data-dim={matches === 0 || undefined}
      onClick={() => onOpen(id)}
      onKeyDown={(event) => onKey(event, () => onOpen(id))}
    >
      <rect x={-RADIUS} y={-17} width={2 * HALF} height={34} rx={8} />
      <text x={HALF - RADIUS} dy="0.35em">
        {count}
      </text>{" "}
      <text className="mesh-caption" data-beside x={2 * HALF - RADIUS + 8} dy="0.35em">
        {texts.range(first, last)}
        {matches !== undefined && matches > 0 && ` (${texts.found(matches)})`}
      </text>
    </g>
  );
}

/** The lines of the picture; the colours of quality are the same for dashed ones. */
const LINES = [
  { name: "good", link: "route", quality: "good" },
  { name: "fair", link: "route", quality: "fair" },
  { name: "poor", link: "route", quality: "poor" },
  { name: "route", link: "route", quality: undefined },
  { name: "heard", link: "heard", quality: "good" },
] as const;

/** Meanings of the colours and lines of the picture. */
export function Legend() {
  const { legend } = useMessages(networkMessages);
  return (
    <ul className="mesh-legend">
      {LINES.map(({ name, link, quality }) => (
        <li key={name}>
          <svg width="26" height="10" aria-hidden>
            <path d="M1 5h24" className="mesh-edge" data-link={link} data-quality={quality} />
          </svg>
          {legend[name]}
        </li>
      ))}
      {(["silent", "no-route"] as const).map((reach) => (
        <li key={reach}>
          <svg width="18" height="18" viewBox="-25 -25 50 50" aria-hidden>
            <g className="mesh-mote" data-reach={reach}>
              <circle r={RADIUS} />
            </g>
          </svg>
          {reach === "silent" ? legend.silent : legend.loose}
        </li>
      ))}
    </ul>
  );
}
