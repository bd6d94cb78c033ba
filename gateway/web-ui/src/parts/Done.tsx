import { Alert } from "@mantine/core";

/** A sentence about what was done, announced by screen readers; it takes no room before. */
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
