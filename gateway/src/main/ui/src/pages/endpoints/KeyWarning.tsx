import { Alert, Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import type { ShownEndpoint } from "../../gateway/endpointStore";
import type { OtherKey } from "../../gateway/selection";
import { useGateway } from "../../hooks/gateway";
import { Warning } from "../../parts/icons";
import { moment } from "../../text/format";

/** Warns that the key of an endpoint has changed. It cannot be dismissed. */
export function KeyWarning({ shown, other }: { shown: ShownEndpoint; other: OtherKey }) {
  const { store } = useGateway();
  const [asked, setAsked] = useState(false);
  const { endpoint, pin } = shown;
  return (
    <Alert
      color="red"
      variant="light"
      icon={<Warning size={20} />}
      title={`${endpoint.ep}: the key has changed`}
      data-key-warning={endpoint.id}
    >
      <Text size="sm">
        {other.signs
          ? "Its readings are signed by a key that is not the one this browser remembers. "
          : "The gateway lists a key for it that is not the one this browser remembers. "}
        If you did not replace the mote or its key, someone may be impersonating it. Compare the new
        thumbprint with the mote’s label before you continue.
      </Text>
      <dl className="two-keys">
        <dt>Remembered{pin && ` since ${moment(Date.parse(pin.since))}`}</dt>
        <dd>
          <code>{pin?.thumbprint}</code>
        </dd>
        <dt>New</dt>
        <dd>
          <code>{other.thumbprint}</code>
        </dd>
      </dl>
      {other.signs && (
        <Group gap="xs" mt="sm">
          {!asked ? (
            <Button size="xs" variant="default" onClick={() => setAsked(true)}>
              Remember the new key…
            </Button>
          ) : (
            <>
              <Button
                size="xs"
                color="red"
                onClick={() => store.acceptKey(endpoint, other.thumbprint)}
              >
                I compared it with the mote: remember it
              </Button>
              <Button size="xs" variant="default" onClick={() => setAsked(false)}>
                Keep the old key
              </Button>
            </>
          )}
        </Group>
      )}
    </Alert>
  );
}
