import { Button, Modal, Text, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { useGateway } from "../../hooks/gateway";
import { useAction, useLoaded } from "../../hooks/loaded";
import { useMessages } from "../../hooks/messages";
import { CopyButton } from "../../parts/CopyButton";
import { DataTable } from "../../parts/DataTable";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { QrCode } from "../../parts/QrCode";
import { moment } from "../../text/format";
import { listLinks, makeLink, revokeLink, wallboardUrl, type BoardLink } from "./api";
import { messages } from "./messages";

/** The links that show a dashboard without an account: made, listed, revoked. */
export function LinksDialog({
  opened,
  dashboard,
  onClose,
}: {
  opened: boolean;
  dashboard: string;
  onClose: () => void;
}) {
  const words = useMessages(messages);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="xl"
      title={words.linksTitle}
      // The link must disappear with the dialog.
      transitionProps={{ duration: 0 }}
      // A script would lock scrolling with an inline style.
      lockScroll={false}
      closeButtonProps={{ "aria-label": words.close }}
    >
      {opened && <Links dashboard={dashboard} />}
    </Modal>
  );
}

function Links({ dashboard }: { dashboard: string }) {
  const { api } = useGateway();
  const words = useMessages(messages);
  const { data, problem, reload } = useLoaded(`links of ${dashboard}`, () =>
    listLinks(api, dashboard),
  );
  const [made, setMade] = useState<BoardLink>();
  const revoke = useAction(async (link: BoardLink) => {
    await revokeLink(api, dashboard, link.id);
    setMade((before) => (before?.id === link.id ? undefined : before));
    reload();
  });
  return (
    <div className="dialog stacked" data-dialog>
      <Text size="sm">{words.linksExplain}</Text>
      <ErrorAlert problem={problem ?? revoke.problem} />
      {made === undefined ? (
        <LinkForm
          dashboard={dashboard}
          onMade={(link) => {
            setMade(link);
            reload();
          }}
        />
      ) : (
        <MadeLink link={made} />
      )}
      {data !== undefined && (
        <DataTable
          label={words.linksTitle}
          rows={data}
          keyOf={({ id }) => id}
          empty={words.noLinks}
          columns={[
            { key: "name", title: words.linkColumns.name, cell: ({ name }) => name },
            { key: "maker", title: words.linkColumns.maker, cell: ({ maker }) => maker },
            {
              key: "used",
              title: words.linkColumns.used,
              cell: ({ usedAt }) =>
                usedAt === undefined ? words.neverUsed : moment(Date.parse(usedAt)),
            },
            {
              key: "ends",
              title: words.linkColumns.ends,
              cell: ({ expired, expiresAt }) =>
                expired
                  ? words.expired
                  : expiresAt === undefined
                    ? words.neverEnds
                    : moment(Date.parse(expiresAt)),
            },
            {
              key: "actions",
              title: words.linkColumns.actions,
              cell: (link) => (
                <Button
                  size="compact-sm"
                  variant="default"
                  disabled={revoke.busy}
                  aria-label={words.revokeName(link.name)}
                  onClick={() => void revoke.run(link)}
                >
                  {words.revoke}
                </Button>
              ),
            },
          ]}
        />
      )}
    </div>
  );
}

function LinkForm({ dashboard, onMade }: { dashboard: string; onMade: (link: BoardLink) => void }) {
  const { api } = useGateway();
  const words = useMessages(messages);
  const [name, setName] = useState("");
  const [days, setDays] = useState("");
  const [sent, setSent] = useState(false);
  const save = useAction(async () => {
    onMade(
      await makeLink(api, dashboard, {
        name: name.trim(),
        ...(days.trim() === "" ? {} : { days: Number(days) }),
      }),
    );
  });
  const faults = {
    name: name.trim() === "" || name.length > 63 ? words.linkNameFault : undefined,
    days:
      days.trim() === "" || (/^\d{1,4}$/.test(days.trim()) && within(Number(days)))
        ? undefined
        : words.linkDaysFault,
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (faults.name === undefined && faults.days === undefined) void save.run();
  };
  return (
    <form onSubmit={submit} noValidate data-form="link" className="dialog">
      <ErrorAlert problem={save.problem} />
      <div className="form-grid">
        <TextInput
          label={words.linkName}
          description={words.linkNameHelp}
          inputWrapperOrder={["label", "input", "description", "error"]}
          data-autofocus
          autoComplete="off"
          value={name}
          error={sent ? faults.name : undefined}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label={words.linkDays}
          description={words.linkDaysHelp}
          inputWrapperOrder={["label", "input", "description", "error"]}
          inputMode="numeric"
          value={days}
          error={sent ? faults.days : undefined}
          onChange={(event) => setDays(event.currentTarget.value)}
        />
      </div>
      <div className="dialog-buttons">
        <Button type="submit" className="main-button" color="cyan.9" loading={save.busy}>
          {words.makeLink}
        </Button>
      </div>
    </form>
  );
}

const MOST_DAYS = 3660;

function within(days: number): boolean {
  return days >= 1 && days <= MOST_DAYS;
}

/** The link, which the gateway gives only once. */
function MadeLink({ link }: { link: BoardLink }) {
  const { api } = useGateway();
  const words = useMessages(messages);
  const url = wallboardUrl(api, link.token ?? "");
  return (
    <div className="panel" role="status" data-made-link>
      <b>{words.linkMade(link.name)}</b>
      <p>{words.linkMadeOnce}</p>
      <div className="thumbprint">
        <code data-link>{url}</code>
        <CopyButton text={url} what={words.link} />
      </div>
      <div className="made-link">
        <QrCode text={url} label={words.qr} />
        <Button
          component="a"
          href={url}
          target="_blank"
          rel="noopener"
          variant="default"
          size="compact-sm"
        >
          {words.openLink}
        </Button>
      </div>
    </div>
  );
}
