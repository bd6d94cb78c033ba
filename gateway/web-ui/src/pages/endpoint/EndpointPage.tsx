import "./endpoint.css";
import { Alert, Skeleton, Text, Title } from "@mantine/core";
import { memo, useEffect, type ReactNode } from "react";
import type { ShownEndpoint } from "../../gateway/endpointStore";
import type { ShownResource } from "../../gateway/verification";
import { calibrationOf, type Endpoint } from "../../gateway/model";
import { otherKeyOf, pathOf, resourceAt } from "../../gateway/selection";
import { useGateway, useSnapshot } from "../../hooks/gateway";
import { useSession } from "../../hooks/session";
import { CalibratedIcon } from "../../parts/Calibrated";
import { KeyWarning } from "../../parts/KeyWarning";
import { Page } from "../../parts/Page";
import { VerdictIcon } from "../../parts/Verdict";
import { ThumbprintGroups } from "../../parts/ThumbprintGroups";
import { useMessages } from "../../hooks/messages";
import { hasRoleIn } from "../../gateway/roles";
import { Link, useParams, useSearch } from "../../hooks/router";
import { isNumber, readable, moment, rejectionWord } from "../../text/format";
import { shortAddress } from "../../text/addresses";
import { noteText } from "../../text/waitingNotes";
import { CommandsPanel } from "./CommandsPanel";
import { EndpointHead } from "./EndpointHead";
import { endpointMessages } from "./messages";
import { ReplaceMote } from "./ReplaceMote";
import { ResourceView } from "./ResourceView";
import { KeyFacts } from "./Verification";
import { WakePanel } from "./WakePanel";

/** One endpoint: its values and history, its key, its commands. */
export default function EndpointPage() {
  const texts = useMessages(endpointMessages);
  const { store } = useGateway();
  const { endpoints, loaded } = useSnapshot();
  const { id, "*": rest } = useParams<{ id: string; "*"?: string }>();
  useEffect(() => store.watch(id), [store, id]);
  const shown = endpoints.find(({ endpoint }) => endpoint.id === id);
  if (shown === undefined) {
    return loaded ? (
      <Page title={texts.gone}>
        <p>{texts.goneWhat}</p>
        <Link href="/endpoints">{texts.toList}</Link>
      </Page>
    ) : (
      <Page title="…">
        <Skeleton height={240} radius="md" />
      </Page>
    );
  }
  return <Present shown={shown} rest={rest} />;
}

/** Rendered only when this endpoint changes. */
const Present = memo(function Present({
  shown,
  rest,
}: {
  shown: ShownEndpoint;
  /** The resource in the address. */
  rest: string | undefined;
}) {
  const texts = useMessages(endpointMessages);
  const session = useSession();
  const { endpoint, resources } = shown;
  const operates = session.state === "signed-in" && hasRoleIn(session, "operator", endpoint.d);
  const other = otherKeyOf(shown);
  const open = resourceAt(shown, rest) ?? resources[0];
  return (
    <Page title={<bdi>{endpoint.name === "" ? endpoint.ep : endpoint.name}</bdi>}>
      <EndpointHead shown={shown} />
      {other !== undefined && <KeyWarning shown={shown} other={other} />}
      <WaitingKeys shown={shown} />
      <Rejections endpoint={endpoint} />
      {open === undefined ? (
        <p>{texts.noResources}</p>
      ) : (
        <div className="endpoint-resources" data-endpoint-page={endpoint.id}>
          <ResourceNavigation shown={shown} open={open} />
          <ResourceView key={open.resource.path} shown={shown} one={open} />
        </div>
      )}
      <CommandsPanel endpoint={endpoint} />
      <div className="endpoint-panels">
        <Panel title={texts.key}>
          <KeyFacts endpoint={shown} kid={endpoint.keyThumbprint} />
          {operates && <ReplaceMote endpoint={endpoint} />}
        </Panel>
        {open !== undefined && (
          <Panel title={texts.wake}>
            <WakePanel endpoint={endpoint} path={open.resource.path} />
          </Panel>
        )}
      </div>
    </Page>
  );
});

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="panel">
      <Title order={2} size="h5" mb={8}>
        {title}
      </Title>
      {children}
    </section>
  );
}

/** The resources with their values; the open one is marked. */
function ResourceNavigation({ shown, open }: { shown: ShownEndpoint; open: ShownResource }) {
  // The span of time stays when another resource is opened.
  const search = useSearch();
  const texts = useMessages(endpointMessages);
  return (
    <nav aria-label={texts.resources} className="resource-list">
      <ul>
        {shown.resources.map((one) => {
          const { resource, verification } = one;
          const none = resource.value === undefined;
          const calibration = calibrationOf(
            shown.endpoint.calibrations,
            resource.path,
            resource.name,
          );
          const glance = readable(resource.value ?? "", resource.unit, calibration);
          return (
            <li key={resource.path}>
              <Link
                href={pathOf(shown.endpoint, resource.path) + (search && `?${search}`)}
                className="resource-link"
                aria-current={one === open ? "page" : undefined}
                data-resource={`${shown.endpoint.id}/${resource.path}`}
                data-seq={resource.seq}
                data-state={none ? "none" : verification.state}
              >
                <span className="resource-name clip">{resource.path}</span>
                {none ? (
                  <span className="dimmed">{texts.noReading}</span>
                ) : (
                  <span className="resource-value numbers">
                    <bdi title={resource.value}>{glance.value}</bdi> <bdi>{glance.unit}</bdi>
                    {calibration !== undefined && isNumber(resource.value ?? "") && (
                      <CalibratedIcon />
                    )}
                    <VerdictIcon verification={verification} />
                  </span>
                )}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** All keys that wait for a decision on the name: an operator compares thumbprints. */
function WaitingKeys({ shown: { endpoint } }: { shown: ShownEndpoint }) {
  const texts = useMessages(endpointMessages);
  const { waitingKeys } = endpoint;
  if (waitingKeys.length === 0) return null;
  return (
    <Alert color="yellow" title={texts.waiting(waitingKeys.length)} data-waiting>
      <ul className="waiting-keys">
        {waitingKeys.map(({ thumbprint, since, from, note }) => (
          <li key={thumbprint}>
            <ThumbprintGroups thumbprint={thumbprint} />
            <Text size="sm" c="dimmed">
              {noteText(note)}
            </Text>
            <Text size="sm" c="dimmed">
              {[
                since === undefined ? "" : texts.waitingSince(moment(since)),
                from === "" ? texts.unknownAddress : texts.waitingFrom(shortAddress(from)),
              ]
                .filter((part) => part !== "")
                .join(", ")}
            </Text>
          </li>
        ))}
      </ul>
      <Link href="/trust">{texts.toTrust}</Link>
    </Alert>
  );
}

/** Requests of the endpoint that the gateway has refused, by reason. */
function Rejections({ endpoint: { rejections } }: { endpoint: Endpoint }) {
  const texts = useMessages(endpointMessages);
  if (rejections.size === 0) return null;
  const reasons = [...rejections].map(([reason, count]) => `${count} × ${rejectionWord(reason)}`);
  return (
    <p className="dimmed" data-rejections>
      {texts.rejected} {reasons.join(", ")}
    </p>
  );
}
