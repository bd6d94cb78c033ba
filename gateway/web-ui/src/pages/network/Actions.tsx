import { Button, Group, NativeSelect, Text, Title } from "@mantine/core";
import { useState } from "react";
import { useGateway } from "../../hooks/gateway";
import { ConfirmDialog } from "../../parts/ConfirmDialog";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { useMessages } from "../../hooks/messages";
import { captureUrl, forgive, refresh, repair, type Neighbour } from "./api";
import { networkMessages } from "./messages";

const LENGTHS = [10, 60, 600] as const;

/** Actions of operators on the mesh, and the download of a capture. */
export function Actions({
  captureReaders,
  onDone,
}: {
  captureReaders: number;
  onDone: (sentence: string) => void;
}) {
  const texts = useMessages(networkMessages);
  const { api } = useGateway();
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const [seconds, setSeconds] = useState<number>(LENGTHS[0]);
  const askForRoutes = async () => {
    setProblem(undefined);
    try {
      await refresh(api);
      onDone(texts.refreshDone);
    } catch (reason) {
      setProblem(reason);
    }
  };
  return (
    <section className="mesh-actions" data-network-actions>
      <Title order={2} size="h4">
        {texts.actions}
      </Title>
      <ErrorAlert problem={problem} />
      <Group gap="xs">
        <Button variant="default" onClick={() => setAsking(true)}>
          {texts.repair}
        </Button>
        <Button variant="default" onClick={() => void askForRoutes()}>
          {texts.refresh}
        </Button>
      </Group>
      <Group gap="xs" align="flex-end">
        <NativeSelect
          label={texts.captureFor}
          value={String(seconds)}
          onChange={(event) => setSeconds(Number(event.currentTarget.value))}
          data={LENGTHS.map((length) => ({
            value: String(length),
            label: texts.captureSeconds(length),
          }))}
        />
        <Button
          component="a"
          variant="default"
          href={captureUrl(api, seconds)}
          download="vigil.pcapng"
        >
          {texts.capture}
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        {texts.captureWhat} {captureReaders > 0 && texts.captureReaders(captureReaders)}
      </Text>
      <ConfirmDialog
        opened={asking}
        title={texts.repairTitle}
        confirm={texts.repairConfirm}
        onConfirm={async () => {
          await repair(api);
          onDone(texts.repairDone);
        }}
        onClose={() => setAsking(false)}
      >
        <Text size="sm">{texts.repairWhat}</Text>
      </ConfirmDialog>
    </section>
  );
}

/** Asks before the frame counter of a neighbour is forgotten. */
export function ForgiveDialog({
  neighbour,
  onDone,
  onClose,
}: {
  neighbour: Neighbour | undefined;
  onDone: (sentence: string) => void;
  onClose: () => void;
}) {
  const texts = useMessages(networkMessages);
  const { api } = useGateway();
  const name = neighbour?.eui64 ?? "";
  return (
    <ConfirmDialog
      opened={neighbour !== undefined}
      title={texts.forgiveTitle(name)}
      confirm={texts.forgiveConfirm}
      onConfirm={async () => {
        await forgive(api, name);
        onDone(texts.forgiveDone(name));
      }}
      onClose={onClose}
    >
      <Text size="sm">{texts.forgiveWhat}</Text>
    </ConfirmDialog>
  );
}
