import { Button } from "@mantine/core";
import { useState } from "react";
import type { Endpoint } from "../../gateway/model";
import { putTags, readTags } from "../../gateway/tags";
import { useGateway } from "../../hooks/gateway";
import { useAction } from "../../hooks/loaded";
import { useMessages } from "../../hooks/messages";
import { ConfirmDialog } from "../../parts/ConfirmDialog";
import { ErrorAlert } from "../../parts/ErrorAlert";
import { TagField } from "../../parts/TagField";
import { endpointMessages } from "./messages";

/** Changes the tags of an endpoint unless somebody else changes them meanwhile. */
export function EditTags({ endpoint: { id, ep } }: { endpoint: Endpoint }) {
  const texts = useMessages(endpointMessages);
  const { api } = useGateway();
  const [opened, setOpened] = useState(false);
  const [edited, setEdited] = useState<{ tags: string[]; version: string }>();
  const open = useAction(async () => {
    setEdited(await readTags(api, id));
    setOpened(true);
  });
  return (
    <>
      <Button size="xs" variant="default" loading={open.busy} onClick={() => void open.run()}>
        {texts.tags}
      </Button>
      <ErrorAlert problem={open.problem} />
      <ConfirmDialog
        opened={opened}
        title={texts.tagsTitle(ep)}
        confirm={texts.save}
        harmless
        onClose={() => setOpened(false)}
        onConfirm={async () => {
          if (edited !== undefined) await putTags(api, id, edited.tags, edited.version);
        }}
      >
        {edited !== undefined && (
          <TagField
            focused
            label={texts.tagsLabel}
            description={texts.tagsHint}
            value={edited.tags}
            onChange={(tags) => setEdited({ ...edited, tags })}
          />
        )}
      </ConfirmDialog>
    </>
  );
}
