import type { ReactNode } from "react";
import { useMessages } from "../../hooks/messages";
import { CalibratedButton } from "../../parts/Calibrated";
import { freshnessWord, isNumber, moment, readable, stateWord, timeOfDay } from "../../text/format";
import type { Freshness, Trust } from "../../gateway/model";
import type { Content, Member, Tile } from "./api";
import { messages } from "./messages";
import { ChartTile } from "./ChartTile";
import { MeshTile } from "./MeshTile";
import { freshnessOf, type BoardTime } from "./freshness";
import { PlanTile } from "./PlanTile";

/** The present content of a tile; it fills the tile, whose size decides the size of the texts. */
export function TileBody({
  tile,
  content,
  unsaved,
  time,
}: {
  tile: Tile;
  /** Undefined while it is loaded. */
  content: Content | undefined;
  /** Whether the gateway does not know yet what the tile shows. */
  unsaved: boolean;
  time: BoardTime;
}) {
  const texts = useMessages(messages);
  if (tile.kind === "text") return <div className="tile-text">{tile.text}</div>;
  if (unsaved) return <Nothing>{texts.unsaved}</Nothing>;
  if (content === undefined) return <Nothing>{texts.loading}…</Nothing>;
  if (content.sight !== "shown") {
    const gone = tile.kind === "mesh" ? texts.goneRadio : texts.goneEndpoint;
    return <Nothing>{content.sight === "gone" ? gone : texts.noRight}</Nothing>;
  }
  switch (tile.kind) {
    case "value":
      return <ValueBody content={content} time={time} />;
    case "state":
      return <StateBody member={content.endpoints?.[0]} time={time} />;
    case "tag":
      return <TagBody content={content} now={time.freshness} />;
    case "chart":
      return <ChartTile tile={tile} content={content} />;
    case "mesh":
      return <MeshTile nodes={content.nodes ?? []} />;
    case "plan":
      return <PlanTile tile={tile} places={content.places ?? []} now={time.freshness} />;
  }
}

function Nothing({ children }: { children: ReactNode }) {
  return <div className="tile-nothing">{children}</div>;
}

/** The title of a tile: its own, or one that follows from its content. */
export function titleOf(
  tile: Tile,
  content: Content | undefined,
  texts: typeof messages.en,
): string {
  if (tile.title !== undefined) return tile.title;
  switch (tile.kind) {
    case "value": {
      const name = content?.endpoints?.[0]?.name;
      const path = tile.sources[0]?.path ?? "";
      return name === undefined ? texts.kindName.value : `${name}: ${path}`;
    }
    case "state":
      return content?.endpoints?.[0]?.name ?? texts.kindName.state;
    case "tag":
      return tile.tag ?? texts.kindName.tag;
    case "chart": {
      const names = new Set((content?.chart?.lines ?? []).flatMap(({ name }) => name ?? []));
      const span = tile.span === undefined ? "" : texts.span[tile.span];
      return names.size === 1 ? `${[...names][0]}, ${span}` : `${texts.kindName.chart}, ${span}`;
    }
    case "mesh":
      return texts.kindName.mesh;
    case "plan":
      return texts.kindName.plan;
    case "text":
      return "";
  }
}

function ValueBody({ content, time }: { content: Content; time: BoardTime }) {
  const texts = useMessages(messages);
  const { value, unit = "", arrivedAt, marks, calibration } = content.value ?? { marks: [] };
  const member = content.endpoints?.[0];
  const freshness = member === undefined ? undefined : freshnessOf(member, time.freshness);
  if (value === undefined) return <Nothing>{texts.noValue}</Nothing>;
  const shown = readable(String(value), unit, calibration);
  const notes = marks.filter((mark) => mark !== "stale").map((mark) => texts.marks[mark]);
  return (
    <div className="tile-value" data-freshness={freshness}>
      <span className="tile-number numbers" data-long={shown.value.length > 9 || undefined}>
        <span className="clip" title={String(value)}>
          {shown.value}
        </span>{" "}
        {shown.unit !== "" && <span className="tile-unit">{shown.unit}</span>}
        {calibration !== undefined && isNumber(String(value)) && (
          <CalibratedButton calibration={calibration} unit={unit} value={String(value)} />
        )}
      </span>
      <span className="tile-note">
        {freshness !== undefined && freshness !== "on-time" && (
          <span className="freshness" data-freshness={freshness}>
            <span className="dot" aria-hidden />
            {freshnessWord(freshness)}
          </span>
        )}
        {[
          ...notes,
          ...(arrivedAt === undefined ? [] : [whenOf(Date.parse(arrivedAt), time.now)]),
        ].join(", ")}
      </span>
    </div>
  );
}

const DAY = 86_400_000;

/** The time of day, with the date if it was not within a day. */
function whenOf(at: number, now: number): string {
  return Math.abs(now - at) < DAY ? timeOfDay(at) : moment(at);
}

export function StateBody({ member, time }: { member: Member | undefined; time: BoardTime }) {
  if (member === undefined) return null;
  const freshness = freshnessOf(member, time.freshness);
  return (
    <div className="tile-state" data-freshness={freshness}>
      <span className="freshness" data-freshness={freshness}>
        <span className="dot" aria-hidden />
        {stateWord(freshness, member.trust as Trust)}
      </span>
      <span className="tile-note">{whenOf(Date.parse(member.heardAt), time.now)}</span>
    </div>
  );
}

const WORST_FIRST: readonly Freshness[] = ["missing", "late", "not-trusted", "on-time"];

function TagBody({ content, now }: { content: Content; now: number }) {
  const texts = useMessages(messages);
  const members = content.endpoints ?? [];
  const total = Object.values(content.counts ?? {}).reduce((sum, count) => sum + count, 0);
  if (total === 0) return <Nothing>{texts.noTagged}</Nothing>;
  const states = members.map((member) => ({ member, freshness: freshnessOf(member, now) }));
  // The list may be cut off; the rest is on time or like the last ones.
  const counts = new Map<Freshness, number>(
    members.length === total
      ? WORST_FIRST.map((one) => [one, states.filter(({ freshness }) => freshness === one).length])
      : WORST_FIRST.map((one) => [one, content.counts?.[one] ?? 0]),
  );
  return (
    <div className="tile-tag">
      <ul className="tile-counts">
        {WORST_FIRST.filter((one) => (counts.get(one) ?? 0) > 0).map((one) => (
          <li key={one} data-freshness={one}>
            <b className="numbers">{counts.get(one)}</b>
            <span className="freshness" data-freshness={one}>
              <span className="dot" aria-hidden />
              {freshnessWord(one)}
            </span>
          </li>
        ))}
      </ul>
      <ul className="tile-members">
        {states.map(({ member, freshness }) => (
          <li key={member.id} data-freshness={freshness} title={freshnessWord(freshness)}>
            <span className="dot" aria-hidden />
            <span className="clip">{member.name}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
