import { Badge, Button, Menu, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import type { ShownEndpoint } from "../../gateway/endpointStore";
import { freshnessAt, lastHeard } from "../../gateway/freshness";
import { putLabel } from "../../gateway/labels";
import type { Endpoint } from "../../gateway/model";
import { useFreshnessTime, useGateway } from "../../hooks/gateway";
import { useSession } from "../../hooks/session";
import { Age } from "../../parts/Age";
import { ConfirmDialog } from "../../parts/ConfirmDialog";
import { useMessages } from "../../hooks/messages";
import { hasRoleIn } from "../../gateway/roles";
import { Link, useLocation } from "../../hooks/router";
import { shortAddress } from "../../text/addresses";
import { duration, moment, stateWord, trustWord } from "../../text/format";
import { exportPath, forgetEndpoint } from "./api";
import { endpointMessages } from "./messages";

const TRUST_COLOURS = {
  trusted: "gray",
  pending: "yellow",
  unproven: "yellow",
  replaced: "orange",
  revoked: "red",
};

/** Facts about the endpoint as a whole, and its actions. */
export function EndpointHead({ shown: { endpoint } }: { shown: ShownEndpoint }) {
  const texts = useMessages(endpointMessages);
  const session = useSession();
  const freshness = freshnessAt(endpoint, useFreshnessTime());
  const heard = lastHeard(endpoint);
  const trust = endpoint.trust === undefined ? undefined : trustWord(endpoint.trust);
  return (
    <div className="endpoint-head">
      <div className="endpoint-facts numbers">
        {freshness !== undefined && (
          <span className="freshness" data-freshness={freshness}>
            <span className="dot" aria-hidden />
            {stateWord(freshness, endpoint.trust)}
          </span>
        )}
        <span>
          {heard === undefined ? (
            texts.notHeard
          ) : (
            <>
              {texts.heard} <Age at={heard} />
            </>
          )}
        </span>
        {endpoint.wakeSeconds !== undefined && (
          <span>{texts.wakes(duration(endpoint.wakeSeconds * 1000))}</span>
        )}
        {endpoint.d !== "" && <span>{texts.domain(endpoint.d)}</span>}
        {endpoint.location !== "" && <bdi>{endpoint.location}</bdi>}
        {endpoint.name !== "" && <bdi>{endpoint.ep}</bdi>}
        {endpoint.meshAddress !== "" && (
          <Link href="/network" className="isolated">
            {shortAddress(endpoint.meshAddress)}
          </Link>
        )}
        {endpoint.expiresAt !== undefined && <span>{texts.until(moment(endpoint.expiresAt))}</span>}
        <Link href={`/directory/ep/${encodeURIComponent(endpoint.id)}`}>{texts.registration}</Link>
        <Link href={`/directory/res/${encodeURIComponent(endpoint.id)}`}>
          {texts.directoryLinks}
        </Link>
        {trust !== undefined && (
          <Badge
            variant="light"
            color={TRUST_COLOURS[endpoint.trust ?? "trusted"]}
            title={trust.meaning}
          >
            {trust.label}
          </Badge>
        )}
      </div>
      <div className="endpoint-actions">
        {session.state === "signed-in" && hasRoleIn(session, "operator", endpoint.d) && (
          <>
            <EditLabel endpoint={endpoint} />
            <Forget endpoint={endpoint} />
          </>
        )}
        <Export endpoint={endpoint} />
      </div>
    </div>
  );
}

function EditLabel({ endpoint }: { endpoint: Endpoint }) {
  const texts = useMessages(endpointMessages);
  const { api } = useGateway();
  const [opened, setOpened] = useState(false);
  const [name, setName] = useState("");
  const [location, setLocation] = useState("");
  const open = () => {
    setName(endpoint.name);
    setLocation(endpoint.location);
    setOpened(true);
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {texts.edit}
      </Button>
      <ConfirmDialog
        opened={opened}
        title={texts.editTitle(endpoint.ep)}
        confirm={texts.save}
        harmless
        onClose={() => setOpened(false)}
        onConfirm={() => putLabel(api, endpoint, { name, location })}
      >
        <Stack gap="sm">
          <span>{texts.editWhat}</span>
          <TextInput
            data-autofocus
            label={texts.name}
            description={texts.nameHint}
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            label={texts.place}
            description={texts.placeHint}
            maxLength={200}
            value={location}
            onChange={(event) => setLocation(event.currentTarget.value)}
          />
        </Stack>
      </ConfirmDialog>
    </>
  );
}

function Forget({ endpoint }: { endpoint: Endpoint }) {
  const texts = useMessages(endpointMessages);
  const [, navigate] = useLocation();
  const { api } = useGateway();
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpened(true)}>
        {texts.forgetEndpoint}
      </Button>
      <ConfirmDialog
        opened={opened}
        title={texts.forgetEndpointTitle(endpoint.ep)}
        confirm={texts.forgetEndpointConfirm}
        onClose={() => setOpened(false)}
        onConfirm={async () => {
          await forgetEndpoint(api, endpoint.id);
          navigate("/endpoints");
        }}
      >
        {texts.forgetEndpointWhat(endpoint.resources.length)}
      </ConfirmDialog>
    </>
  );
}

function Export({ endpoint }: { endpoint: Endpoint }) {
  const texts = useMessages(endpointMessages);
  const { api } = useGateway();
  return (
    <Menu position="bottom-end" width={290} withinPortal={false}>
      <Menu.Target>
        <Button size="xs" variant="default">
          {texts.export}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" download href={api.url(exportPath(endpoint.id, "jsonl"))}>
          {texts.exportLines}
        </Menu.Item>
        <Menu.Item component="a" download href={api.url(exportPath(endpoint.id, "csv"))}>
          {texts.exportTable}
        </Menu.Item>
        <Menu.Label>{texts.exportHint}</Menu.Label>
      </Menu.Dropdown>
    </Menu>
  );
}
