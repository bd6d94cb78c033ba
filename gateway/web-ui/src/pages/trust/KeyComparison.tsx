import { Skeleton, Text, Title } from "@mantine/core";
import { useEffect, useState } from "react";
import { useGateway } from "../../hooks/gateway";
import { Age } from "../../parts/Age";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { useMessages } from "../../hooks/messages";
import { moment } from "../../text/format";
import { pinName } from "../../verify/pins";
import type { Key } from "../../gateway/keys";
import { presentKey, type PresentKey } from "./api";
import { Fingerprint } from "./Fingerprint";
import { differingGroups } from "../../text/fingerprint";
import { gainedText } from "../../text/trustGained";
import { trustMessages } from "./messages";

/** A key that requests the name of another key, next to the current key of the name. */
export function KeyComparison({ held }: { held: Key }) {
  const texts = useMessages(trustMessages);
  const { present, problem } = usePresentKey(held);
  const differing =
    present === undefined ? undefined : differingGroups(held.thumbprint, present.thumbprint);
  return (
    <div className="two-fingerprints" data-comparison>
      <div>
        <Title order={4} size="h6">
          {texts.present}
        </Title>
        <ErrorAlert problem={problem} title={texts.noPresent} />
        {present === undefined && problem === undefined && <Skeleton height={60} radius="md" />}
        {present !== undefined && <Present present={present} held={held} />}
      </div>
      <div>
        <Title order={4} size="h6">
          {texts.requested}
        </Title>
        <Fingerprint
          thumbprint={held.thumbprint}
          {...(differing === undefined ? {} : { differing })}
        />
        <Text size="sm">
          {texts.asksSince}: <Age at={held.since} />
        </Text>
      </div>
    </div>
  );
}

function Present({ present, held }: { present: PresentKey; held: Key }) {
  const texts = useMessages(trustMessages);
  const { pins } = useGateway();
  const pin = pins.get(pinName(held));
  const { firstAt, gained, registeredAt, thumbprint } = present;
  return (
    <>
      <Fingerprint thumbprint={thumbprint} />
      <Text size="sm" component="div">
        <div>
          {texts.firstSeen}: {firstAt === undefined ? texts.notInAudit : moment(firstAt)}
        </div>
        {gained !== undefined && (
          <div>
            {texts.trustedHow}: {gainedText(gained)}
          </div>
        )}
        <div>
          {texts.lastRegistered}: <Age at={registeredAt} />
        </div>
        {pin?.thumbprint === thumbprint && (
          <div>
            {texts.remembered}: {moment(Date.parse(pin.since))}
          </div>
        )}
      </Text>
    </>
  );
}

/** Requested once for each shown key, because the current key of a name hardly ever changes. */
function usePresentKey(held: Key): { present: PresentKey | undefined; problem: unknown } {
  const { api } = useGateway();
  const { endpoint, ep, d } = held;
  const [state, setState] = useState<{ present?: PresentKey; problem?: unknown }>({});
  useEffect(() => {
    let unmounted = false;
    presentKey(api, { endpoint, ep, d }).then(
      (present) => !unmounted && setState({ present }),
      (problem: unknown) => !unmounted && setState({ problem }),
    );
    return () => {
      unmounted = true;
    };
  }, [api, endpoint, ep, d]);
  return { present: state.present, problem: state.problem };
}
