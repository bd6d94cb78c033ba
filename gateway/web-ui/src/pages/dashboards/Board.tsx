import "./board.css";
import type { CSSProperties, ReactNode } from "react";
import { useMessages } from "../../hooks/messages";
import type { Content, Dashboard, Tile } from "./api";
import type { BoardTime } from "./freshness";
import { messages } from "./messages";
import { TileBody, titleOf } from "./TileBody";
import type { ContentsByTile } from "./useBoard";

/** The tiles of a dashboard at their places; one below the other on a phone. */
export function Board({
  tiles,
  contents,
  time,
  full = false,
}: {
  tiles: Dashboard["tiles"];
  contents: ContentsByTile;
  time: BoardTime;
  /** Whether all rows together have the height of the screen. */
  full?: boolean;
}) {
  const rows = Math.max(1, ...tiles.map(({ y, h }) => y + h));
  return (
    <div
      className="board"
      data-full={full || undefined}
      style={{ "--rows": rows } as CSSProperties}
      data-tiles={tiles.length}
    >
      {inOrder(tiles).map((tile) => (
        <TileFrame
          key={tile.id}
          tile={tile}
          content={contents.get(tile.id)}
          time={time}
          style={{
            gridColumn: `${tile.x + 1} / span ${tile.w}`,
            gridRow: `${tile.y + 1} / span ${tile.h}`,
          }}
        />
      ))}
    </div>
  );
}

/** From left to right and from top to bottom, as they are read. */
export function inOrder(tiles: Dashboard["tiles"]): Tile[] {
  return [...tiles].sort((one, other) => one.y - other.y || one.x - other.x);
}

/** A tile with its title. */
export function TileFrame({
  tile,
  content,
  unsaved = false,
  time,
  style,
  tools,
}: {
  tile: Tile;
  content: Content | undefined;
  unsaved?: boolean;
  time: BoardTime;
  style?: CSSProperties;
  tools?: ReactNode;
}) {
  const texts = useMessages(messages);
  const title = titleOf(tile, unsaved ? undefined : content, texts as typeof messages.en);
  return (
    <section
      className="tile"
      data-tile={tile.id}
      data-kind={tile.kind}
      data-sight={content?.sight ?? (tile.kind === "text" ? "shown" : "loading")}
      aria-label={title === "" ? texts.kindName.text : title}
      {...(style === undefined ? {} : { style })}
    >
      {(title !== "" || tools !== undefined) && (
        <div className="tile-head">
          <h2 className="tile-title clip">{title}</h2>
          {tools}
        </div>
      )}
      <div className="tile-body">
        <TileBody tile={tile} content={content} unsaved={unsaved} time={time} />
      </div>
    </section>
  );
}
