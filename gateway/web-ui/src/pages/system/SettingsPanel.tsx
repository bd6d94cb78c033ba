import { TextInput } from "@mantine/core";
import { useState } from "react";
import { useGateway } from "../../hooks/gateway";
import { useLoaded } from "../../hooks/loaded";
import { DataTable } from "../../parts/DataTable";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { useMessages } from "../../hooks/messages";
import { listSettings, type Setting } from "./api";
import { isForbidden } from "./forbidden";
import { messages } from "./messages";

/** The settings that the gateway started with, and their origins. */
export function SettingsPanel() {
  const { api } = useGateway();
  const words = useMessages(messages);
  const [search, setSearch] = useState("");
  const [all, setAll] = useState(false);
  const { data, problem, reload } = useLoaded("settings", () => listSettings(api));
  if (isForbidden(problem)) return null;
  const wanted = search.trim().toLowerCase();
  const shown = (data ?? []).filter(
    ({ name, source }) => name.includes(wanted) && (all || wanted !== "" || source !== "default"),
  );
  return (
    <section className="panel stacked" data-panel="settings">
      <h2>{words.settings}</h2>
      <p className="dimmed">{words.settingsHelp}</p>
      <ErrorAlert problem={problem} onRetry={reload} />
      <div className="filters">
        <TextInput
          type="search"
          aria-label={words.searchSettings}
          placeholder={words.searchSettings}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <label>
          <input
            type="checkbox"
            checked={all}
            onChange={(event) => setAll(event.currentTarget.checked)}
          />{" "}
          {words.defaultsToo}
        </label>
      </div>
      {data !== undefined && <Settings settings={shown} />}
    </section>
  );
}

function Settings({ settings }: { settings: readonly Setting[] }) {
  const words = useMessages(messages);
  return (
    <DataTable
      label={words.settings}
      rows={settings}
      keyOf={({ name }) => name}
      columns={[
        {
          key: "name",
          title: words.settingColumns.name,
          cell: ({ name }) => <code>{name}</code>,
          sort: ({ name }) => name,
        },
        {
          key: "value",
          title: words.settingColumns.value,
          cell: ({ value, secret }) =>
            value === undefined || (secret && value !== "") ? (
              <span className="dimmed">{words.secret}</span>
            ) : value === "" ? (
              <span className="dimmed">{words.empty}</span>
            ) : (
              value
            ),
        },
        {
          key: "source",
          title: words.settingColumns.source,
          cell: ({ source, place }) => (
            <>
              {words.sources[source]}
              {place !== undefined && <small className="under">{place}</small>}
            </>
          ),
          sort: ({ source }) => source,
        },
      ]}
    />
  );
}
