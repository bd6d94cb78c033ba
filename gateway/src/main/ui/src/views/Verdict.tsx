import { Loader } from "@mantine/core";
import type { Judgement } from "../watch/board";
import { ShieldCheck, ShieldCross, ShieldQuestion } from "./icons";

/** The state of a reading's signature in two words. */
export function VerdictMark({ judgement, title }: { judgement: Judgement; title?: string }) {
  return (
    <span className="verdict" data-verdict={judgement.state} title={title}>
      {mark(judgement)}
    </span>
  );
}

function mark(judgement: Judgement) {
  switch (judgement.state) {
    case "verified":
      return (
        <>
          <ShieldCheck size={17} /> Verified
        </>
      );
    case "refused":
      return (
        <>
          <ShieldCross size={17} /> Not verified
        </>
      );
    case "unchecked":
      return (
        <>
          <ShieldQuestion size={17} /> Not verified
        </>
      );
    case "checking":
      return (
        <>
          <Loader size={13} color="gray" /> Checking
        </>
      );
  }
}

/** Why, for those that are not verified. */
export function reasonOf(judgement: Judgement): string | undefined {
  return judgement.state === "refused" || judgement.state === "unchecked"
    ? judgement.reason
    : undefined;
}
