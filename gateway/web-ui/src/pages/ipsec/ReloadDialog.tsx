import { Checkbox, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useGateway } from "../../hooks/gateway";
import { ConfirmDialog } from "../../parts/ConfirmDialog";
import { useMessages } from "../../hooks/messages";
import { reload } from "./api";
import { ipsecMessages } from "./messages";

/** Asks before the file of associations is reloaded. */
export function ReloadDialog({
  opened,
  onClose,
  onDone,
}: {
  opened: boolean;
  onClose: () => void;
  onDone: (sentence: string) => void;
}) {
  const texts = useMessages(ipsecMessages);
  const { api } = useGateway();
  const [fresh, setFresh] = useState(false);
  return (
    <ConfirmDialog
      opened={opened}
      title={texts.reloadTitle}
      confirm={texts.reloadConfirm}
      onConfirm={async () => {
        const { added, kept, removed, stopped } = await reload(api, fresh);
        onDone([texts.reloaded(added, kept, removed), ...stopped].join(" "));
      }}
      onClose={() => {
        setFresh(false);
        onClose();
      }}
    >
      <Stack gap="md">
        <Text size="sm">{texts.reloadWhat}</Text>
        <Checkbox
          label={texts.reloadNew}
          description={texts.reloadNewWhat}
          checked={fresh}
          onChange={(event) => setFresh(event.currentTarget.checked)}
        />
      </Stack>
    </ConfirmDialog>
  );
}
