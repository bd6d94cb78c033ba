import type { Verification } from "../gateway/verification";
import { ShieldCheck, ShieldCross, ShieldQuestion } from "./icons";
import { textsOf } from "../text/language";
import { reasonText } from "../text/verdicts";
import { partsMessages } from "./messages";

/** The verification of a reading: an icon and one or two words. */
export function VerdictMark({ verification }: { verification: Verification }) {
  const word = verdictWord(verification);
  return (
    <span className="verdict" data-verdict={verification.state}>
      <Shield verification={verification} size={17} /> {word}
    </span>
  );
}

/** The same without words, for narrow places; the tooltip gives the reason. */
export function VerdictIcon({ verification }: { verification: Verification }) {
  const word = verdictWord(verification);
  const title = "reason" in verification ? reasonText(verification.reason) : word;
  return (
    <span
      className="verdict"
      data-verdict={verification.state}
      role="img"
      aria-label={word}
      title={title}
    >
      <Shield verification={verification} size={15} />
    </span>
  );
}

function verdictWord({ state }: Verification): string {
  const texts = textsOf(partsMessages);
  switch (state) {
    case "verified":
      return texts.verified;
    case "refused":
    case "unchecked":
      return texts.notVerified;
    case "checking":
      return texts.checking;
  }
}

function Shield({ verification, size }: { verification: Verification; size: number }) {
  switch (verification.state) {
    case "verified":
      return <ShieldCheck size={size} />;
    case "refused":
      return <ShieldCross size={size} />;
    case "unchecked":
      return <ShieldQuestion size={size} />;
    case "checking":
      return <span className="spinner" />;
  }
}
