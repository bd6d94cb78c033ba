import { Tabs, Text, Title } from "@mantine/core";
import type { ShownEndpoint } from "../../gateway/endpointStore";
import { calibrationOf } from "../../gateway/model";
import { hasRoleIn } from "../../gateway/roles";
import type { ShownResource } from "../../gateway/verification";
import { useCoapBase } from "../../hooks/addresses";
import { useGateway } from "../../hooks/gateway";
import { useSession } from "../../hooks/session";
import { Age } from "../../parts/Age";
import { CalibratedButton } from "../../parts/Calibrated";
import { useMessages } from "../../hooks/messages";
import { placeOf } from "../../text/clientCommands";
import { conversionOf } from "../../text/displayUnits";
import { asSigned, formula, isNumber, readable } from "../../text/format";
import { Calibrate } from "./Calibrate";
import { ClientCommands } from "./ClientCommands";
import { History } from "./History";
import { endpointMessages } from "./messages";
import { Checks, originalOf, Outcome, Signed } from "./Verification";

/** One resource: its value, whether the mote signed it, and its history. */
export function ResourceView({ shown, one }: { shown: ShownEndpoint; one: ShownResource }) {
  const texts = useMessages(endpointMessages);
  const { api } = useGateway();
  const { endpoint } = shown;
  const { resource, verification } = one;
  const session = useSession();
  const operates = session.state === "signed-in" && hasRoleIn(session, "operator", endpoint.d);
  const signed = resource.value ?? "";
  const calibration = isNumber(signed)
    ? calibrationOf(endpoint.calibrations, resource.path, resource.name)
    : undefined;
  const now = readable(resource.value ?? "–", resource.unit, calibration);
  const original = originalOf(verification);
  const kid = original?.header?.kid ?? endpoint.keyThumbprint;
  const place = placeOf(
    useCoapBase().base,
    api.url(resource.href),
    api.url(`keys/${kid}`),
    resource.href,
    original?.jws.form,
  );
  return (
    <article className="panel resource" data-resource-page={`${endpoint.id}/${resource.path}`}>
      <header className="resource-head">
        <div>
          <Title order={2} size="h4">
            <bdi>{resource.path}</bdi>
          </Title>
          {resource.rt !== "" && resource.rt !== resource.path && (
            <Text size="sm" c="dimmed">
              <bdi>{resource.rt}</bdi>
            </Text>
          )}
        </div>
        <div className="resource-now">
          <span className="value" title={resource.value}>
            {now.value}
          </span>
          <span className="unit">{now.unit}</span>
          {calibration !== undefined && (
            <CalibratedButton calibration={calibration} unit={resource.unit} value={signed} />
          )}
        </div>
      </header>
      <Text size="sm" c="dimmed" className="numbers">
        {resource.value === undefined ? (
          texts.noReading
        ) : (
          <>
            {texts.reading(resource.seq)}, {texts.arrived} <Age at={resource.arrivedAt} />
            {resource.delayed && `, ${texts.delayed}`}
          </>
        )}
      </Text>
      {conversionOf(resource.unit, calibration) !== undefined && isNumber(signed) && (
        <Text size="sm" c="dimmed" className="numbers" data-signed-value>
          {texts.signedAs(Object.values(asSigned(signed, resource.unit)).join(" ").trim())}{" "}
          {calibration !== undefined &&
            texts.calibratedBy(formula(resource.unit, calibration, signed))}
        </Text>
      )}
      {operates && (isNumber(signed) || calibration !== undefined) && (
        <Calibrate endpoint={endpoint} resource={resource} />
      )}
      {resource.value !== undefined && <Outcome verification={verification} />}
      <Tabs defaultValue="history" variant="outline" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="history">{texts.history}</Tabs.Tab>
          <Tabs.Tab value="checks">{texts.checks}</Tabs.Tab>
          {original !== undefined && <Tabs.Tab value="signed">{texts.signed}</Tabs.Tab>}
          <Tabs.Tab value="outside">{texts.outside}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="history" pt="sm">
          <History endpoint={endpoint} resource={resource} />
        </Tabs.Panel>
        <Tabs.Panel value="checks" pt="sm">
          <Checks verification={verification} path={resource.path} />
        </Tabs.Panel>
        {original !== undefined && (
          <Tabs.Panel value="signed" pt="sm">
            <Signed original={original} />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="outside" pt="sm">
          <ClientCommands
            endpoint={endpoint}
            href={resource.href}
            place={place}
            kid={kid}
            alg={original?.header?.alg}
          />
        </Tabs.Panel>
      </Tabs>
    </article>
  );
}
