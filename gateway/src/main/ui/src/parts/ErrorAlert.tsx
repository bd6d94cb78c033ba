import { Alert, Button } from "@mantine/core";
import { useMessages } from "../shell/messages";
import { problemText } from "../text/problems";
import { Warning } from "./icons";
import { partsMessages } from "./messages";

/** A problem and its remedy; nothing while `problem` is undefined. */
export function ErrorAlert({
  problem,
  title,
  onRetry,
}: {
  problem: unknown;
  title?: string;
  onRetry?: () => void;
}) {
  const texts = useMessages(partsMessages);
  if (problem === undefined) return null;
  return (
    <Alert color="red" icon={<Warning size={20} />} title={title} role="alert" data-problem>
      {problemText(problem)}
      {onRetry !== undefined && (
        <div>
          <Button mt="xs" size="xs" variant="default" onClick={onRetry}>
            {texts.retry}
          </Button>
        </div>
      )}
    </Alert>
  );
}
