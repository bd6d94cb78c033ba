import { Alert } from "@mantine/core";

/** A sentence about a completed action, announced by screen readers; it takes no space before. */
export function Done({ sentence }: { sentence: string | undefined }) {
  return (
    <div role="status" className="done">
      {sentence !== undefined && (
        <Alert color="teal" data-done>
          {sentence}
        </Alert>
      )}
    </div>
  );
}
