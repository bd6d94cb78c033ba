import { Alert, Button } from "@mantine/core";
import { useMessages } from "../hooks/messages";
import { problemParts } from "../text/problems";
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
      <ProblemSentences problem={problem} />
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

/** The sentence for the kind, and below it the gateway's English text about this case. */
function ProblemSentences({ problem }: { problem: unknown }) {
  const { sentence, detail } = problemParts(problem);
  return (
    <>
      {sentence}
      {detail !== "" && (
        <span className="problem-detail" lang="en">
          {detail}
        </span>
      )}
    </>
  );
}
