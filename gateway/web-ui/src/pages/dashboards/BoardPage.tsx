import "../../parts/forms.css";
import { Alert, Button, Skeleton, Text } from "@mantine/core";
import { lazy, Suspense, useMemo, useState } from "react";
import { hasRoleEverywhere, hasRoleIn } from "../../gateway/roles";
import { useGateway, useOverTime } from "../../hooks/gateway";
import { useAction, useLoaded } from "../../hooks/loaded";
import { useMessages } from "../../hooks/messages";
import { Link, useLocation, useParameters, useParams } from "../../hooks/router";
import { useSession } from "../../hooks/session";
import { ConfirmDialog } from "../../parts/ConfirmDialog";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { Page } from "../../parts/Page";
import { ApiProblem } from "../../gateway/api";
import { putDashboard, readDashboard, removeDashboard, type Dashboard, type Tile } from "./api";
import { Board } from "./Board";
import { freshnessTime } from "./freshness";
import { LinksDialog } from "./LinksDialog";
import { messages } from "./messages";
import { PlanImages, PlanImagesContext } from "./planImages";
import { SettingsDialog, type BoardSettings } from "./SettingsForm";
import { useBoard } from "./useBoard";

const STEP = 5_000;

/** The editor and its library are loaded when somebody edits. */
const BoardEditor = lazy(() => import("./BoardEditor"));

/** One dashboard: shown, and edited by operators of its domain. */
export default function BoardPage() {
  const { id = "" } = useParams<{ id: string }>();
  const { api } = useGateway();
  const words = useMessages(messages);
  const loaded = useLoaded(`dashboard ${id}`, () => readDashboard(api, id));
  const { data, problem, reload } = loaded;
  if (data === undefined) {
    return (
      <Page title={words.title}>
        {problem === undefined ? (
          <Skeleton height={300} radius="md" />
        ) : (
          <ErrorAlert problem={problem} onRetry={reload} />
        )}
        <Link href="/dashboards">{words.all}</Link>
      </Page>
    );
  }
  return (
    <Loaded key={id} dashboard={data.dashboard} tag={data.tag} problem={problem} reload={reload} />
  );
}

/** Changes that are not stored yet. */
interface Draft {
  tag: string;
  settings: BoardSettings;
  tiles: readonly Tile[];
}

function Loaded({
  dashboard,
  tag,
  problem,
  reload,
}: {
  dashboard: Dashboard;
  tag: string;
  /** Of the last reading, such as that it was deleted. */
  problem: unknown;
  reload: () => void;
}) {
  const { api } = useGateway();
  const words = useMessages(messages);
  const [, goTo] = useLocation();
  const session = useSession();
  // Times and states of tiles are exact to five seconds; each step renders all tiles.
  const step = Number(useOverTime((time) => String(Math.floor(time / STEP) * STEP)));
  const [parameters, change] = useParameters();
  const [draft, setDraft] = useState<Draft>();
  const [dialog, setDialog] = useState<"settings" | "links" | "remove">();
  const mayEdit =
    dashboard.d === undefined
      ? session.state === "signed-in" && hasRoleEverywhere(session, "operator")
      : session.state === "signed-in" &&
        hasRoleIn(session, "operator", dashboard.d === "-" ? "" : dashboard.d);
  const editing = mayEdit && parameters.has("edit");
  const { contents, contact } = useBoard(api, dashboard, reload);
  const time = { now: step, freshness: freshnessTime(contact, step) };
  const images = useMemo(() => new PlanImages(api, dashboard.id, true), [api, dashboard.id]);
  const tiles = editing ? (draft?.tiles ?? dashboard.tiles) : dashboard.tiles;
  const { id, name, d } = (editing ? draft?.settings : undefined) ?? dashboard;
  const settings: BoardSettings = { id, name, ...(d === undefined ? {} : { d }) };
  const edit = (part: Partial<Draft>) =>
    setDraft((before) => ({ tag, settings, tiles, ...before, ...part }));
  const leave = () => {
    setDraft(undefined);
    change({ edit: undefined });
  };
  const save = useAction(async () => {
    const { id: _id, ...members } = settings;
    await putDashboard(api, id, { ...members, tiles: [...tiles] }, draft?.tag ?? tag);
    leave();
    reload();
  });
  const conflict = save.problem instanceof ApiProblem && save.problem.status === 412;
  return (
    <Page
      title={name}
      beside={
        <span className="row-actions">
          {mayEdit && !editing && (
            <>
              <Button variant="default" onClick={() => change({ edit: "" })}>
                {words.edit}
              </Button>
              <Button variant="default" onClick={() => setDialog("links")}>
                {words.links}
              </Button>
            </>
          )}
          {editing && (
            <>
              <Button
                className="main-button"
                color="cyan.9"
                loading={save.busy}
                onClick={() => (draft === undefined ? leave() : void save.run())}
              >
                {draft === undefined ? words.done : words.save}
              </Button>
              {draft !== undefined && (
                <Button variant="default" onClick={leave}>
                  {words.discard}
                </Button>
              )}
              <Button variant="default" onClick={() => setDialog("settings")}>
                {words.settings}
              </Button>
              <Button variant="default" onClick={() => setDialog("remove")}>
                {words.remove}
              </Button>
            </>
          )}
        </span>
      }
    >
      <Link href="/dashboards">{words.all}</Link>
      {conflict ? (
        <Alert color="red" role="alert">
          {words.changedElsewhere}
        </Alert>
      ) : (
        <ErrorAlert problem={save.problem ?? problem} />
      )}
      {draft !== undefined && editing && (
        <Text size="sm" role="status" data-unsaved>
          {words.changed}
        </Text>
      )}
      <PlanImagesContext value={images}>
        {editing ? (
          <Suspense fallback={<Skeleton height={300} radius="md" />}>
            <BoardEditor
              tiles={tiles}
              stored={dashboard.tiles}
              contents={contents}
              time={time}
              onChange={(after) => edit({ tiles: after })}
            />
          </Suspense>
        ) : tiles.length === 0 ? (
          <Text c="dimmed">{mayEdit ? words.emptyOperator : words.empty}</Text>
        ) : (
          <div data-contact={contact.state}>
            <Board tiles={[...tiles]} contents={contents} time={time} />
          </div>
        )}
      </PlanImagesContext>
      <SettingsDialog
        opened={dialog === "settings"}
        present={settings}
        onClose={() => setDialog(undefined)}
        onSave={async (changed) => edit({ settings: changed })}
      />
      <LinksDialog
        opened={dialog === "links"}
        dashboard={id}
        onClose={() => setDialog(undefined)}
      />
      <ConfirmDialog
        opened={dialog === "remove"}
        title={words.removeTitle(name)}
        confirm={words.removeConfirm}
        onConfirm={async () => {
          await removeDashboard(api, id);
          goTo("/dashboards");
        }}
        onClose={() => setDialog(undefined)}
      >
        {words.removeLoses}
      </ConfirmDialog>
    </Page>
  );
}
