import { Button, Group, Modal, NativeSelect, Skeleton, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useGateway } from "../../hooks/gateway";
import { useAction, useLoaded } from "../../hooks/loaded";
import { useSession } from "../../hooks/session";
import { DataTable, type Column } from "../../parts/DataTable";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { ThumbprintGroups } from "../../parts/ThumbprintGroups";
import { useMessages } from "../../hooks/messages";
import { hasRoleEverywhere, hasRoleIn } from "../../gateway/roles";
import {
  keys,
  KEY_STATES,
  withFollowing,
  type Key,
  type KeyFilter,
  type KeyState,
} from "../../gateway/keys";
import type { Action } from "./decisions";
import { Fingerprint } from "./Fingerprint";
import { trustMessages } from "./messages";

/**
 * All keys, in pages of the gateway's.
 *
 * @param changes counts decisions: each reads the list again
 */
export function KeyList({
  changes,
  onAction,
}: {
  changes: number;
  onAction: (action: Action, key: Key) => void;
}) {
  const texts = useMessages(trustMessages);
  const [filter, setFilter] = useState<KeyFilter>({ state: "", ep: "" });
  const [name, setName] = useState("");
  const { api } = useGateway();
  const { data, problem, reload, extend } = useLoaded(JSON.stringify(filter), () =>
    keys(api, filter),
  );
  const more = useAction((after: string) =>
    extend(async () => {
      const following = await keys(api, filter, after);
      return (listed) => withFollowing(listed, after, following);
    }),
  );
  useEffect(() => {
    if (changes > 0) reload();
  }, [changes, reload]);
  const [shown, setShown] = useState<Key>();
  const columns = useColumns(setShown, onAction);
  return (
    <>
      <form
        className="key-filter"
        onSubmit={(event) => {
          event.preventDefault();
          setFilter({ ...filter, ep: name.trim() });
        }}
      >
        <NativeSelect
          label={texts.state}
          value={filter.state}
          onChange={(event) => {
            const chosen = event.currentTarget.value;
            setFilter({ ...filter, state: KEY_STATES.find((one) => one === chosen) ?? "" });
          }}
          data={[
            { value: "", label: texts.anyState },
            ...KEY_STATES.map((state) => ({ value: state, label: texts.states[state] })),
          ]}
        />
        <TextInput
          label={texts.endpointExact}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          onBlur={() => setFilter({ ...filter, ep: name.trim() })}
        />
      </form>
      <ErrorAlert problem={problem} onRetry={reload} />
      {data === undefined && problem === undefined && <Skeleton height={200} radius="md" />}
      {data !== undefined && (
        <DataTable
          label={texts.keysTab}
          columns={columns}
          rows={data.keys}
          keyOf={({ thumbprint, endpoint, d, state }) =>
            `${thumbprint} ${endpoint} ${d} ${state ?? ""}`
          }
          order={{ column: "ep", descending: false }}
          empty={texts.noKeys}
        />
      )}
      {data !== undefined && data.next !== "" && (
        <div>
          <Button variant="default" loading={more.busy} onClick={() => void more.run(data.next)}>
            {texts.more}
          </Button>
        </div>
      )}
      <Modal
        opened={shown !== undefined}
        onClose={() => setShown(undefined)}
        title={texts.fingerprintOf(shown?.ep === "" ? texts.anyEndpoint : (shown?.ep ?? ""))}
        // The style sheet locks scrolling; a script would need an inline style.
        lockScroll={false}
        closeButtonProps={{ "aria-label": texts.close }}
      >
        {shown !== undefined && <Fingerprint thumbprint={shown.thumbprint} />}
      </Modal>
    </>
  );
}

function useColumns(
  show: (key: Key) => void,
  onAction: (action: Action, key: Key) => void,
): Column<Key>[] {
  const texts = useMessages(trustMessages);
  const session = useSession();
  const stateText = (state: KeyState | undefined) =>
    state === undefined ? texts.unknown : texts.states[state];
  return [
    {
      key: "ep",
      title: texts.endpoint,
      cell: ({ ep }) => (ep === "" ? texts.anyEndpoint : <bdi>{ep}</bdi>),
      sort: ({ ep }) => (ep === "" ? undefined : ep),
    },
    {
      key: "d",
      title: texts.domain,
      cell: ({ d }) => (d === "" ? "–" : <bdi>{d}</bdi>),
      sort: ({ d }) => d,
    },
    {
      key: "state",
      title: texts.state,
      cell: ({ state, endpoint }) =>
        state === "listed" && endpoint !== "" ? texts.approvedAhead : stateText(state),
      sort: ({ state }) => KEY_STATES.findIndex((one) => one === state),
    },
    {
      key: "thumbprint",
      title: texts.typed,
      cell: (key) => (
        <Button size="compact-xs" variant="subtle" color="gray" onClick={() => show(key)}>
          <ThumbprintGroups thumbprint={key.thumbprint} first={2} />
        </Button>
      ),
      sort: ({ thumbprint }) => thumbprint,
    },
    {
      key: "actions",
      title: texts.actions,
      cell: (key) => {
        const { state, d, endpoint } = key;
        const operates = hasRoleIn(session, "operator", d);
        const everywhere = hasRoleEverywhere(session, "operator");
        const button = (action: Action, label: string) => (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => onAction(action, key)}
            data-action={action}
          >
            {label}
          </Button>
        );
        return (
          <Group gap={6} wrap="nowrap">
            {operates && (state === "pending" || state === "held") && (
              <>
                {button("approve", texts.approve)}
                {button("refuse", texts.refuse)}
              </>
            )}
            {operates &&
              state === "listed" &&
              (endpoint === ""
                ? button("unlist", texts.unlist)
                : button("takeBack", texts.takeBack))}
            {everywhere && state !== "revoked" && button("revoke", texts.revoke)}
          </Group>
        );
      },
    },
  ];
}
