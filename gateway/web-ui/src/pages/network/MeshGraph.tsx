import { useEffect, useMemo, useRef, type KeyboardEvent } from "react";
import { useMessages } from "../../hooks/messages";
import { shortName } from "./addresses";
import { caption, nameOf, qualityOf, type Graph, type GraphNode } from "./graph";
import { layered, type Placed } from "./layout";
import { networkMessages } from "./messages";

const RADIUS = 22;
/** A wide picture shrinks so far; then it scrolls. */
const LEAST_SCALE = 0.6;

/** The mesh as a tree: the gateway on top, each mote below its parent. */
export function MeshGraph({
  graph,
  selected,
  onSelect,
}: {
  graph: Graph;
  selected: string | undefined;
  onSelect: (id: string) => void;
}) {
  const texts = useMessages(networkMessages);
  const layout = useMemo(() => layered(graph.root, graph.nodes), [graph]);
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const places = new Map(layout.nodes.map((place) => [place.id, place]));
  const frame = useRef<HTMLDivElement>(null);
  const middle = (places.get(graph.root)?.x ?? 0) / layout.width;
  useEffect(() => {
    const shown = frame.current;
    if (shown !== null) shown.scrollLeft = shown.scrollWidth * middle - shown.clientWidth / 2;
  }, [middle]);
  return (
    <div className="mesh" ref={frame}>
      <svg
        style={{ maxWidth: layout.width, minWidth: layout.width * LEAST_SCALE }}
        viewBox={`0 0 ${layout.width} ${layout.height}`}
        role="group"
        aria-label={texts.graph}
      >
        {layout.nodes.map((place) => {
          const above = place.parent === undefined ? undefined : places.get(place.parent);
          const node = nodes.get(place.id);
          if (above === undefined || node === undefined) return null;
          return <Edge key={place.id} from={above} to={place} node={node} />;
        })}
        {layout.nodes.map((place) => {
          const node = nodes.get(place.id);
          return node === undefined ? (
            <Gateway key={place.id} place={place} />
          ) : (
            <Mote
              key={place.id}
              place={place}
              node={node}
              selected={place.id === selected}
              onSelect={onSelect}
            />
          );
        })}
      </svg>
    </div>
  );
}

function Edge({ from, to, node }: { from: Placed; to: Placed; node: GraphNode }) {
  const middle = (from.y + to.y) / 2;
  const direct = node.neighbour !== undefined && from.depth === 0;
  return (
    <path
      className="mesh-edge"
      data-edge={`${from.id} ${to.id}`}
      data-link={node.link}
      data-quality={direct ? qualityOf(node.neighbour) : undefined}
      d={`M${from.x} ${from.y}C${from.x} ${middle} ${to.x} ${middle} ${to.x} ${to.y}`}
    />
  );
}

function Gateway({ place }: { place: Placed }) {
  const texts = useMessages(networkMessages);
  const width = 84;
  return (
    <g transform={`translate(${place.x} ${place.y})`} className="mesh-gateway" data-root={place.id}>
      <rect x={-width / 2} y={-19} width={width} height={38} rx={19} />
      <text dy="0.35em">{texts.gateway}</text>
    </g>
  );
}

function Mote({
  place,
  node,
  selected,
  onSelect,
}: {
  place: Placed;
  node: GraphNode;
  selected: boolean;
  onSelect: (id: string) => void;
}) {
  const texts = useMessages(networkMessages);
  const hops =
    node.mesh?.hops === undefined ? texts.heardDirectly : texts.hopsCount(node.mesh.hops);
  const short = shortName(node.id);
  const named = nameOf(node);
  const name = named === "" ? short : `${short}, ${named}`;
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onSelect(node.id);
  };
  const secured = (node.neighbour?.level ?? 0) > 0;
  return (
    <g
      transform={`translate(${place.x} ${place.y})`}
      className="mesh-mote"
      role="button"
      tabIndex={0}
      aria-label={texts.nodeLabel(name, hops, texts.reach[node.reach])}
      aria-pressed={selected}
      data-node={node.id}
      data-reach={node.reach}
      data-depth={place.depth}
      onClick={() => onSelect(node.id)}
      onKeyDown={onKey}
    >
      <circle r={RADIUS} />
      {/* The space keeps both texts apart in the name that is read aloud. */}
      <text dy="0.35em">{short}</text>{" "}
      <text className="mesh-caption" y={RADIUS + 15}>
        {caption(node)}
      </text>
      {secured && (
        <path
          className="mesh-lock"
          transform={`translate(${RADIUS - 9} ${-RADIUS - 1})`}
          d="M1 6h10v7H1zM3 6V4a3 3 0 0 1 6 0v2"
        />
      )}
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
