import { Loader } from "@mantine/core";
import type { Verification } from "../gateway/endpointStore";
import { ShieldCheck, ShieldCross, ShieldQuestion } from "./icons";

/** The verification of a reading in two words. */
export function VerdictMark({
  verification,
  title,
}: {
  verification: Verification;
  title?: string;
}) {
  return (
    <span className="verdict" data-verdict={verification.state} title={title}>
      {mark(verification)}
    </span>
  );
}

function mark(verification: Verification) {
  switch (verification.state) {
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

/** Why a reading is not verified; undefined for the other states. */
export function reasonOf(verification: Verification): string | undefined {
  return verification.state === "refused" || verification.state === "unchecked"
    ? verification.reason
    : undefined;
}
