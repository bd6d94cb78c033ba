import { Alert, Button, Group, Skeleton, Text } from "@mantine/core";
import { useState } from "react";
import {
  NotificationsBlocked,
  pushSupport,
  readNotifications,
  switchOff,
  switchOn,
  testNotifications,
  type PushTest,
} from "../../gateway/notifications";
import { useGateway } from "../../hooks/gateway";
import { useAction, useLoaded } from "../../hooks/loaded";
import { useLanguage, useMessages } from "../../hooks/messages";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { notificationMessages } from "./notificationMessages";

/** Switches notifications of alarms on and off in this browser. */
export function OwnNotifications() {
  const { api } = useGateway();
  const words = useMessages(notificationMessages);
  const language = useLanguage();
  const has = pushSupport();
  const {
    data: state,
    problem,
    reload,
  } = useLoaded("notifications", () => readNotifications(api, has));
  const [tested, setTested] = useState<PushTest>();
  const action = useAction(async (act: () => Promise<void>) => {
    setTested(undefined);
    try {
      await act();
    } catch (reason) {
      // The state says what to do.
      if (!(reason instanceof NotificationsBlocked)) throw reason;
    }
    reload();
  });
  const begin = (act: () => Promise<void>) => () => void action.run(act);
  return (
    <div className="spaced">
      <Text size="sm" c="dimmed">
        {words.explain}
      </Text>
      <ErrorAlert problem={problem ?? action.problem} onRetry={reload} />
      {state === undefined ? (
        problem === undefined && <Skeleton height={60} radius="md" />
      ) : (
        <p role="status" data-notifications={state.kind}>
          {words[state.kind]}
        </p>
      )}
      <Group gap="xs">
        {state?.kind === "off" && (
          <Button
            className="main-button"
            color="cyan.9"
            loading={action.busy}
            onClick={begin(() => switchOn(api, has, state.key, language))}
          >
            {words.switchOn}
          </Button>
        )}
        {state?.kind === "on" && (
          <>
            <Button
              variant="default"
              loading={action.busy}
              onClick={begin(async () => setTested(await testNotifications(api, state.id)))}
            >
              {words.test}
            </Button>
            <Button
              variant="default"
              loading={action.busy}
              onClick={begin(() => switchOff(api, has, state.id))}
            >
              {words.switchOff}
            </Button>
          </>
        )}
      </Group>
      {tested !== undefined && (
        <Alert role="status" color={tested.accepted ? "teal" : "red"}>
          {tested.accepted ? words.testAccepted : words.testRefused}
          <span className="problem-detail" lang="en">
            {tested.answer}
          </span>
        </Alert>
      )}
    </div>
  );
}
