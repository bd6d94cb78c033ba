import { Alert, Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import type { ShownEndpoint } from "../gateway/endpointStore";
import type { OtherKey } from "../gateway/selection";
import { useGateway } from "../hooks/gateway";
import { Warning } from "./icons";
import { ThumbprintGroups } from "./ThumbprintGroups";
import { useMessages } from "../hooks/messages";
import { moment } from "../text/format";
import { partsMessages } from "./messages";

/** Warns that the key of an endpoint has changed. It cannot be dismissed. */
export function KeyWarning({ shown, other }: { shown: ShownEndpoint; other: OtherKey }) {
  const texts = useMessages(partsMessages);
  const { store } = useGateway();
  const [asked, setAsked] = useState(false);
  const { endpoint, pin } = shown;
  return (
    <Alert
      color="red"
      variant="light"
      icon={<Warning size={20} />}
      title={texts.keyChanged(endpoint.ep)}
      data-key-warning={endpoint.id}
    >
      <Text size="sm">
        {other.signs ? texts.keySigns : texts.keyListed} {texts.keyDanger}
      </Text>
      <dl className="two-keys">
        <dt>{texts.keyRemembered(pin === undefined ? "" : moment(Date.parse(pin.since)))}</dt>
        <dd>
          <ThumbprintGroups thumbprint={pin?.thumbprint ?? ""} />
        </dd>
        <dt>{texts.keyNew}</dt>
        <dd>
          <ThumbprintGroups thumbprint={other.thumbprint} />
        </dd>
      </dl>
      {other.signs && (
        <Group gap="xs" mt="sm">
          {!asked ? (
            <Button size="xs" variant="default" onClick={() => setAsked(true)}>
              {texts.keyAccept}
            </Button>
          ) : (
            <>
              <Button
                size="xs"
                color="red"
                onClick={() => store.acceptKey(endpoint, other.thumbprint)}
              >
                {texts.keyCompared}
              </Button>
              <Button size="xs" variant="default" onClick={() => setAsked(false)}>
                {texts.keyKeep}
              </Button>
            </>
          )}
        </Group>
      )}
    </Alert>
  );
}
