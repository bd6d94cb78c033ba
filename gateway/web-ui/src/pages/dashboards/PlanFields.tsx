import { Button, NativeSelect } from "@mantine/core";
import { useMemo, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { useGateway } from "../../hooks/gateway";
import { useAction } from "../../hooks/loaded";
import { useMessages } from "../../hooks/messages";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { uploadImage, type PlanPlace } from "./api";
import { messages } from "./messages";
import { Picture } from "./Picture";
import { fittingImage, fraction, freePlace, IMAGE_TYPES, MOST_PLACES, movedPlace } from "./plan";
import { usePlanImages } from "./planImages";
import { choices, EndpointField, nameOf, pathsOf, type Part } from "./TileSources";

/** The steps of an arrow key, in fractions of the image; with Shift the second. */
const STEPS = [0.005, 0.05] as const;

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The image of a floor plan, and its places: on the image by pointer and keyboard, and as a list. */
export function PlanFields({ draft, change, faultAt }: Part) {
  const words = useMessages(messages);
  const texts = words.plan;
  const { api, dashboard } = usePlanImages();
  const input = useRef<HTMLInputElement>(null);
  const [unreadable, setUnreadable] = useState(false);
  const [said, setSaid] = useState("");
  const marks = useRef<HTMLUListElement>(null);
  const name = usePlaceName();
  const upload = useAction(async () => {
    const file = input.current?.files?.[0];
    if (file === undefined) return;
    setUnreadable(false);
    let image: Blob;
    try {
      image = await fittingImage(file);
    } catch {
      setUnreadable(true);
      return;
    }
    change({ image: (await uploadImage(api, dashboard, image)).image });
  });
  const { places } = draft;
  const focus = (at: number) =>
    requestAnimationFrame(() => marks.current?.querySelectorAll("button")[at]?.focus());
  const put = (at: number, place: PlanPlace) =>
    change({ places: places.map((one, index) => (index === at ? place : one)) });
  const remove = (at: number) => change({ places: places.filter((_, index) => index !== at) });
  const onKey = (event: KeyboardEvent, at: number) => {
    const place = places[at];
    if (place === undefined) return;
    if (event.key === "Delete") {
      event.preventDefault();
      remove(at);
      return;
    }
    const arrow = ARROWS[event.key];
    if (arrow === undefined) return;
    event.preventDefault();
    const step = STEPS[event.shiftKey ? 1 : 0];
    const after = movedPlace(place, arrow[0] * step, arrow[1] * step);
    put(at, after);
    setSaid(texts.moved(name(place), percent(after.x), percent(after.y)));
  };
  const onDrag = (event: PointerEvent<HTMLElement>, at: number) => {
    const picture = marks.current?.getBoundingClientRect();
    const place = places[at];
    if (picture === undefined || place === undefined) return;
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    put(at, {
      ...place,
      x: fraction((event.clientX - picture.left) / picture.width),
      y: fraction((event.clientY - picture.top) / picture.height),
    });
  };
  return (
    <div className="plan-fields">
      <div className="plan-upload">
        <input
          ref={input}
          type="file"
          accept={IMAGE_TYPES.join()}
          aria-label={texts.file}
          className="said"
          tabIndex={-1}
          onChange={() => void upload.run()}
        />
        <Button
          variant="default"
          loading={upload.busy}
          onClick={() => {
            if (input.current === null) return;
            // The same file can be chosen again.
            input.current.value = "";
            input.current.click();
          }}
        >
          {draft.image === "" ? texts.choose : texts.replace}
        </Button>
        <span className="under">{texts.fileHint}</span>
      </div>
      {faultAt("image") !== undefined && <p className="under fault">{faultAt("image")}</p>}
      {faultAt("places") !== undefined && <p className="under fault">{faultAt("places")}</p>}
      {unreadable && <p className="under fault">{texts.noImageFile}</p>}
      <ErrorAlert problem={upload.problem} />
      {draft.image !== "" && (
        <div className="plan-editor">
          <div className="plan-stage">
            <Picture image={draft.image} attempt={undefined}>
              <ul ref={marks} className="plan-marks" data-editing aria-label={texts.onImage}>
                {places.map((place, at) => (
                  <li
                    key={`${at} ${place.endpoint} ${place.path ?? ""}`}
                    style={{ left: `${place.x * 100}%`, top: `${place.y * 100}%` }}
                  >
                    <button
                      type="button"
                      className="plan-pin"
                      aria-label={texts.pin(at + 1, name(place))}
                      data-pin={`${place.x} ${place.y}`}
                      onKeyDown={(event) => onKey(event, at)}
                      onPointerDown={(event) => {
                        event.currentTarget.setPointerCapture(event.pointerId);
                      }}
                      onPointerMove={(event) => onDrag(event, at)}
                    >
                      {at + 1}
                    </button>
                  </li>
                ))}
              </ul>
            </Picture>
            <p className="under">{texts.dragHint}</p>
            <span role="status" className="said">
              {said}
            </span>
          </div>
          <div className="plan-list">
            <AddPlace
              full={places.length >= MOST_PLACES}
              onAdd={(endpoint, path) => {
                const added = { endpoint, ...(path === "" ? {} : { path }), ...freePlace(places) };
                change({ places: [...places, added] });
                focus(places.length);
              }}
            />
            <ol className="plain-list">
              {places.map((place, at) => (
                <li key={`${at} ${place.endpoint} ${place.path ?? ""}`}>
                  <button
                    type="button"
                    className="plan-find clip"
                    aria-label={texts.find(at + 1, name(place))}
                    onClick={() => focus(at)}
                  >
                    {at + 1}. {name(place)}
                  </button>
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={words.removeResource(`${at + 1}. ${name(place)}`)}
                    onClick={() => remove(at)}
                  >
                    ×
                  </Button>
                </li>
              ))}
            </ol>
          </div>
        </div>
      )}
    </div>
  );
}

function percent(part: number): number {
  return Math.round(part * 1000) / 10;
}

/** The name of a place: the endpoint's, and the path of the resource. */
function usePlaceName(): (place: PlanPlace) => string {
  const words = useMessages(messages);
  const { store } = useGateway();
  const names = useMemo(
    () =>
      new Map(store.getSnapshot().endpoints.map(({ endpoint }) => [endpoint.id, nameOf(endpoint)])),
    [store],
  );
  return ({ endpoint, path }) =>
    [names.get(endpoint) ?? words.unknownEndpoint, ...(path === undefined ? [] : [path])].join(
      ": ",
    );
}

/** Chooses an endpoint, and the resource whose value is shown. */
function AddPlace({
  full,
  onAdd,
}: {
  full: boolean;
  onAdd: (endpoint: string, path: string) => void;
}) {
  const words = useMessages(messages);
  const { store } = useGateway();
  const endpoints = useMemo(() => store.getSnapshot().endpoints, [store]);
  const [endpoint, setEndpoint] = useState("");
  const [path, setPath] = useState("");
  return (
    <div className="plan-add">
      <EndpointField
        label={words.field.endpoint}
        value={endpoint}
        error={full && words.fault.places}
        onChange={(chosen) => {
          setEndpoint(chosen);
          const offered = pathsOf(endpoints, chosen);
          setPath((before) => (offered.includes(before) ? before : (offered[0] ?? "")));
        }}
      />
      <NativeSelect
        label={words.plan.shows}
        value={path}
        onChange={(event) => setPath(event.currentTarget.value)}
        data={[
          { value: "", label: words.plan.onlyState },
          ...choices(pathsOf(endpoints, endpoint), path).map((value) => ({ value, label: value })),
        ]}
      />
      <Button
        variant="default"
        disabled={endpoint === "" || full}
        onClick={() => onAdd(endpoint, path)}
      >
        {words.plan.place}
      </Button>
    </div>
  );
}
