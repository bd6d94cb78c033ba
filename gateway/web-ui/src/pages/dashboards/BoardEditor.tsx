import "react-grid-layout/css/styles.css";
import "./editor.css";
import { ActionIcon, Button, Text } from "@mantine/core";
import { useState, type KeyboardEvent } from "react";
import { GridLayout, useContainerWidth } from "react-grid-layout";
import { useMessages } from "../../hooks/messages";
import { Cross } from "../../parts/icons";
import type { Tile } from "./api";
import { inOrder, TileFrame } from "./Board";
import {
  COLUMNS,
  compacted,
  freshId,
  itemOf,
  moved,
  placed,
  showsSame,
  type Place,
} from "./drafts";
import type { BoardTime } from "./freshness";
import { messages } from "./messages";
import { TileDialog } from "./TileForm";
import { titleOf } from "./TileBody";
import type { ContentsByTile } from "./useBoard";

const ROW_HEIGHT = 56;
const GAP = 12;
/** Below this width tiles are one below the other, and numbers in the form place them. */
const NARROW = 620;

const ARROWS: Readonly<Record<string, Pick<Place, "x" | "y">>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** The tiles of a dashboard with handles: moved and sized by pointer and keyboard, edited, removed. */
export default function BoardEditor({
  tiles,
  stored,
  contents,
  time,
  onChange,
}: {
  tiles: readonly Tile[];
  /** The tiles that the gateway knows. */
  stored: readonly Tile[];
  contents: ContentsByTile;
  time: BoardTime;
  onChange: (tiles: Tile[]) => void;
}) {
  const texts = useMessages(messages);
  const [edited, setEdited] = useState<Tile | "new">();
  const [said, setSaid] = useState("");
  const { width, containerRef, mounted } = useContainerWidth();
  const nameOf = (tile: Tile) =>
    titleOf(tile, contents.get(tile.id), texts as typeof messages.en) || texts.kindName[tile.kind];
  const onKey = (event: KeyboardEvent, tile: Tile) => {
    const arrow = ARROWS[event.key];
    if (arrow === undefined) return;
    event.preventDefault();
    const by = event.shiftKey ? { w: arrow.x, h: arrow.y } : arrow;
    const after = moved(tiles, tile.id, by);
    const place = after.find(({ id }) => id === tile.id) ?? tile;
    onChange(after);
    setSaid(texts.moved(nameOf(tile), place.x + 1, place.y + 1, place.w, place.h));
  };
  const frame = (tile: Tile) => (
    <TileFrame
      tile={tile}
      content={contents.get(tile.id)}
      unsaved={
        !showsSame(
          tile,
          stored.find(({ id }) => id === tile.id),
        )
      }
      time={time}
      tools={
        <span className="tile-tools">
          <button
            type="button"
            className="tile-handle"
            aria-label={texts.move(nameOf(tile))}
            onKeyDown={(event) => onKey(event, tile)}
          >
            <Grip />
          </button>
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`${texts.editTile}: ${nameOf(tile)}`}
            onClick={() => setEdited(tile)}
          >
            {texts.edit}
          </Button>
          <ActionIcon
            size="sm"
            variant="default"
            aria-label={`${texts.removeTile}: ${nameOf(tile)}`}
            onClick={() => onChange(compacted(tiles.filter(({ id }) => id !== tile.id)))}
          >
            <Cross size={14} />
          </ActionIcon>
        </span>
      }
    />
  );
  return (
    <>
      <div className="board-tools">
        <Button className="main-button" color="cyan.9" onClick={() => setEdited("new")}>
          {texts.addTile}
        </Button>
        <Text size="sm" c="dimmed">
          {texts.editHint}
        </Text>
      </div>
      {/* The library would add a style element of this id, which the Content-Security-Policy forbids. */}
      <span id="react-draggable-style-el" role="status" className="said">
        {said}
      </span>
      <div ref={containerRef} data-editor>
        {mounted && width < NARROW && (
          <div className="board">
            {inOrder([...tiles]).map((tile) => (
              <div key={tile.id}>{frame(tile)}</div>
            ))}
          </div>
        )}
        {mounted && width >= NARROW && (
          <GridLayout
            width={width}
            layout={tiles.map(itemOf)}
            gridConfig={{
              cols: COLUMNS,
              rowHeight: ROW_HEIGHT,
              margin: [GAP, GAP],
              containerPadding: [0, 0],
            }}
            dragConfig={{ handle: ".tile-handle" }}
            onDragStop={(layout) => onChange(placed(tiles, layout))}
            onResizeStop={(layout) => onChange(placed(tiles, layout))}
          >
            {tiles.map((tile) => (
              <div key={tile.id} data-place={`${tile.x} ${tile.y} ${tile.w} ${tile.h}`}>
                {frame(tile)}
              </div>
            ))}
          </GridLayout>
        )}
      </div>
      <TileDialog
        edited={edited}
        tiles={tiles}
        onClose={() => setEdited(undefined)}
        onTile={(tile) =>
          onChange(
            compacted(
              edited === "new"
                ? [...tiles, { ...tile, id: freshId(tiles) }]
                : tiles.map((one) => (one.id === tile.id ? tile : one)),
            ),
          )
        }
      />
    </>
  );
}

function Grip() {
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" fill="currentColor" aria-hidden>
      {[3, 7, 11].flatMap((y) =>
        [5, 9].map((x) => <circle key={`${x} ${y}`} cx={x} cy={y} r="1.3" />),
      )}
    </svg>
  );
}
