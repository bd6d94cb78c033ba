import "../../parts/forms.css";
import { Button, Skeleton, Text } from "@mantine/core";
import { useState } from "react";
import { hasRole } from "../../gateway/roles";
import { useGateway } from "../../hooks/gateway";
import { useLoaded } from "../../hooks/loaded";
import { useMessages } from "../../hooks/messages";
import { Link, useLocation } from "../../hooks/router";
import { useSession } from "../../hooks/session";
import { DataTable } from "../../parts/DataTable";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { Page } from "../../parts/Page";
import { listDashboards, putDashboard, type Dashboard } from "./api";
import { messages } from "./messages";
import { SettingsDialog } from "./SettingsForm";

/** The dashboards that the account sees. */
export default function DashboardsPage() {
  const { api } = useGateway();
  const words = useMessages(messages);
  const [, goTo] = useLocation();
  const operator = hasRole(useSession(), "operator");
  const { data, problem, reload } = useLoaded("dashboards", () => listDashboards(api));
  const [adding, setAdding] = useState(false);
  return (
    <Page
      title={words.title}
      beside={
        operator && (
          <Button className="main-button" color="cyan.9" onClick={() => setAdding(true)}>
            {words.add}
          </Button>
        )
      }
    >
      <ErrorAlert problem={problem} onRetry={reload} />
      {data === undefined ? (
        problem === undefined && <Skeleton height={160} radius="md" />
      ) : data.length === 0 ? (
        <Text c="dimmed">{operator ? words.noneOperator : words.none}</Text>
      ) : (
        <DashboardTable dashboards={data} />
      )}
      <SettingsDialog
        opened={adding}
        taken={(data ?? []).map(({ id }) => id)}
        onClose={() => setAdding(false)}
        onSave={async ({ id, ...settings }) => {
          await putDashboard(api, id, { ...settings, tiles: [] }, undefined);
          goTo(`/dashboards/${encodeURIComponent(id)}?edit`);
        }}
      />
    </Page>
  );
}

function DashboardTable({ dashboards }: { dashboards: readonly Dashboard[] }) {
  const words = useMessages(messages);
  return (
    <DataTable
      label={words.title}
      rows={dashboards}
      keyOf={({ id }) => id}
      order={{ column: "name", descending: false }}
      columns={[
        {
          key: "name",
          title: words.columns.name,
          sort: ({ name }) => name,
          cell: ({ id, name }) => (
            <Link href={`/dashboards/${encodeURIComponent(id)}`} data-dashboard={id}>
              {name}
            </Link>
          ),
        },
        {
          key: "d",
          title: words.columns.d,
          sort: ({ d }) => d ?? "",
          cell: ({ d }) =>
            d === undefined ? words.everyDomain : d === "-" ? words.namelessDomain : d,
        },
        {
          key: "tiles",
          title: words.columns.tiles,
          number: true,
          sort: ({ tiles }) => tiles.length,
          cell: ({ tiles }) => tiles.length,
        },
      ]}
    />
  );
}
