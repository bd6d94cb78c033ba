import { Button, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import type { ShownEndpoint } from "../../gateway/endpointStore";
import { useGateway } from "../../hooks/gateway";
import { useSession } from "../../hooks/session";
import { changeTags, tagsInUse } from "../../gateway/tags";
import { ConfirmDialog } from "../../parts/ConfirmDialog";
import { TagField } from "../../parts/TagField";
import { useMessages } from "../../hooks/messages";
import { hasRoleIn } from "../../gateway/roles";
import { forgetEndpoints, setPlace } from "./api";
import { displayName } from "./list";
import { endpointsMessages } from "./messages";

const MAX_PLACE = 200;
const NO_TAGS: { add: string[]; remove: string[] } = { add: [], remove: [] };

/** Actions on the selected endpoints. Completed endpoints are deselected. */
export function BulkActions({
  chosen,
  onChange,
}: {
  chosen: readonly ShownEndpoint[];
  onChange: (selected: ReadonlySet<string>) => void;
}) {
  const texts = useMessages(endpointsMessages);
  const { api } = useGateway();
  const session = useSession();
  const [asking, setAsking] = useState<"place" | "tags" | "forget">();
  const [place, setPlaceText] = useState("");
  const [tags, setTags] = useState(NO_TAGS);
  const operated = chosen.filter(({ endpoint }) => hasRoleIn(session, "operator", endpoint.d));

  /** Endpoints that `act` reports as done are deselected, even if others fail. */
  const run = async (act: (onDone: (id: string) => void) => Promise<void>) => {
    const left = new Set(chosen.map(({ endpoint }) => endpoint.id));
    try {
      await act((id) => left.delete(id));
    } finally {
      onChange(left);
    }
  };
  const endpointsOf = (some: readonly ShownEndpoint[]) => some.map(({ endpoint }) => endpoint);

  return (
    <div className="bulk" role="region" aria-label={texts.selected(chosen.length)} data-bulk>
      <strong>{texts.selected(chosen.length)}</strong>
      {operated.length > 0 && (
        <Button size="xs" variant="default" onClick={() => setAsking("place")}>
          {texts.setPlace}
        </Button>
      )}
      {operated.length > 0 && (
        <Button
          size="xs"
          variant="default"
          onClick={() => {
            setTags(NO_TAGS);
            setAsking("tags");
          }}
        >
          {texts.changeTags}
        </Button>
      )}
      {operated.length > 0 && (
        <Button size="xs" variant="default" onClick={() => setAsking("forget")}>
          {texts.forget(operated.length)}
        </Button>
      )}
      <Button size="xs" variant="subtle" color="gray" onClick={() => onChange(new Set())}>
        {texts.clear}
      </Button>
      <ConfirmDialog
        opened={asking === "place"}
        title={texts.placeTitle(operated.length)}
        confirm={texts.save}
        harmless
        onClose={() => setAsking(undefined)}
        onConfirm={() =>
          run(async (onDone) => {
            for (const endpoint of endpointsOf(operated)) {
              await setPlace(api, endpoint, place);
              onDone(endpoint.id);
            }
          })
        }
      >
        <TextInput
          data-autofocus
          label={texts.place}
          description={texts.placeHint}
          maxLength={MAX_PLACE}
          value={place}
          onChange={(event) => setPlaceText(event.currentTarget.value)}
        />
      </ConfirmDialog>
      <ConfirmDialog
        opened={asking === "tags"}
        title={texts.tagsTitle(operated.length)}
        confirm={texts.save}
        harmless
        ready={tags.add.length + tags.remove.length > 0}
        onClose={() => setAsking(undefined)}
        onConfirm={() => run((onDone) => changeTags(api, endpointsOf(operated), tags, onDone))}
      >
        <Stack gap="sm">
          <TagField
            focused
            label={texts.addTags}
            description={texts.tagsHint}
            value={tags.add}
            onChange={(add) => setTags({ ...tags, add })}
          />
          <TagField
            label={texts.removeTags}
            among={tagsInUse(operated)}
            value={tags.remove}
            onChange={(remove) => setTags({ ...tags, remove })}
          />
        </Stack>
      </ConfirmDialog>
      <ConfirmDialog
        opened={asking === "forget"}
        title={texts.forgetTitle(operated.length)}
        confirm={texts.forgetConfirm}
        onClose={() => setAsking(undefined)}
        onConfirm={() => run((onDone) => forgetEndpoints(api, endpointsOf(operated), onDone))}
      >
        {texts.forgetWhat}
        <ul className="plain-list">
          {operated.map(({ endpoint }) => (
            <li key={endpoint.id}>
              <bdi>{displayName(endpoint)}</bdi>
            </li>
          ))}
        </ul>
      </ConfirmDialog>
    </div>
  );
}
