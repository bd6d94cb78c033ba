import { useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { ApiProblem, type Api } from "../gateway/api";
import { useMessages, useUnits } from "../hooks/messages";
import type { Dashboard } from "../pages/dashboards/api";
import { Board } from "../pages/dashboards/Board";
import { linkedDashboard, type Contact } from "../pages/dashboards/boardFeed";
import { freshnessTime } from "../pages/dashboards/freshness";
import { messages } from "../pages/dashboards/messages";
import { PlanImages, PlanImagesContext } from "../pages/dashboards/planImages";
import { useBoard } from "../pages/dashboards/useBoard";
import { timeOfDay } from "../text/format";
import { language } from "../text/language";

const SECOND = 1000;
const STEP = 5 * SECOND;
const MAX_PAUSE = 15_000;
const REFUSED_PAUSE = 60_000;

/** A dashboard that fills the screen. It needs nobody: it continues after every interruption. */
export function Wallboard({
  api,
  hasToken,
  onReconnected,
}: {
  api: Api;
  hasToken: boolean;
  /** Called when the gateway is reached again after an interruption. */
  onReconnected: () => Promise<void>;
}) {
  const texts = useMessages(messages);
  const { dashboard, refused, reload } = useLinked(api, hasToken);
  const units = JSON.stringify(useUnits());
  const { contents, contact } = useBoard(api, dashboard, reload);
  const shown = dashboard?.id ?? "";
  // A place leads nowhere: the link opens nothing else.
  const images = useMemo(() => new PlanImages(api, shown, false), [api, shown]);
  // Each step renders all tiles.
  const now = useNow(api, STEP);
  const time = { now, freshness: freshnessTime(contact, now) };
  useEffect(() => {
    document.documentElement.lang = language();
    document.title = dashboard === undefined ? "Vigil" : `${dashboard.name} · Vigil`;
  }, [dashboard]);
  const before = useRef<Contact["state"]>(contact.state);
  useEffect(() => {
    if (contact.state === "live" && before.current === "lost") void onReconnected();
    before.current = contact.state;
  }, [contact, onReconnected]);
  if (!hasToken) return <Message title={texts.wallboard.noToken} />;
  if (refused || contact.state === "refused") {
    return <Message title={texts.wallboard.refused} what={texts.wallboard.refusedWhat} />;
  }
  if (dashboard === undefined) return <Message title={texts.connecting} />;
  return (
    <main className="wallboard" data-contact={contact.state}>
      <header>
        <h1 className="clip">{dashboard.name}</h1>
        {contact.state === "lost" && (
          <span className="wallboard-lost" role="alert">
            {texts.lost(timeOfDay(contact.since))}
          </span>
        )}
        <Tools />
        <Clock api={api} />
      </header>
      {dashboard.tiles.length === 0 ? (
        <p>{texts.empty}</p>
      ) : (
        <PlanImagesContext value={images}>
          <Board key={units} tiles={dashboard.tiles} contents={contents} time={time} full />
        </PlanImagesContext>
      )}
    </main>
  );
}

/** The dashboard of the link, read until there is an answer. */
function useLinked(
  api: Api,
  hasToken: boolean,
): { dashboard: Dashboard | undefined; refused: boolean; reload: () => void } {
  const [state, setState] = useState<{ dashboard?: Dashboard; refused: boolean }>({
    refused: false,
  });
  const [attempt, setAttempt] = useState(0);
  const reload = useCallback(() => setAttempt((number) => number + 1), []);
  const failures = useRef(0);
  useEffect(() => {
    if (!hasToken) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let ended = false;
    linkedDashboard(api).then(
      (dashboard) => {
        failures.current = 0;
        if (!ended) setState({ refused: false, ...(dashboard === undefined ? {} : { dashboard }) });
      },
      (problem: unknown) => {
        const status = problem instanceof ApiProblem ? problem.status : 0;
        const refused = status === 401 || status === 403 || status === 404;
        const pause = refused
          ? REFUSED_PAUSE
          : Math.min(MAX_PAUSE, SECOND * 2 ** failures.current++);
        if (ended) return;
        timer = setTimeout(reload, pause);
        setState((before) => (refused ? { refused: true } : before));
      },
    );
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }, [api, hasToken, attempt, reload]);
  return { dashboard: state.dashboard, refused: state.refused, reload };
}

function Clock({ api }: { api: Api }) {
  return <time className="numbers">{timeOfDay(useNow(api, SECOND))}</time>;
}

/** Milliseconds by the gateway's clock, at intervals. */
function useNow(api: Api, interval: number): number {
  const [now, setNow] = useState(() => api.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(api.now()), interval);
    return () => clearInterval(timer);
  }, [api, interval]);
  return now;
}

/** Shown while the pointer moves over the header, or with the keyboard. */
function Tools() {
  const { wallboard: texts } = useMessages(messages);
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme("light");
  return (
    <span className="wallboard-tools">
      <button type="button" onClick={() => setColorScheme(scheme === "dark" ? "light" : "dark")}>
        {texts.colours}
      </button>
      <button
        type="button"
        onClick={() =>
          void (document.fullscreenElement === null
            ? document.documentElement.requestFullscreen()
            : document.exitFullscreen())
        }
      >
        {texts.fullScreen}
      </button>
    </span>
  );
}

function Message({ title, what }: { title: string; what?: string }) {
  return (
    <main className="wallboard wallboard-message" role="status">
      <h1>{title}</h1>
      {what !== undefined && <p>{what}</p>}
    </main>
  );
}
