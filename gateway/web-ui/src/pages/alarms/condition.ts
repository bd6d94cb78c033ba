import type { AlarmKindText } from "../../gateway/alarmKinds";
import { unitInWords } from "../../text/format";
import type { Rule } from "./api";
import type { messages } from "./messages";

type Words = Pick<
  typeof messages.en,
  "aboveLimit" | "belowLimit" | "or" | "lasting" | "at" | "tagged"
>;

/**
 * The condition of a rule in one line, such as "a value is above 30 °C, at oven-*\/temp".
 *
 * @param text of its kind; undefined: this page knows the kind only by name
 */
export function conditionText(
  rule: Rule,
  text: Pick<AlarmKindText, "condition"> | undefined,
  words: Words,
): string {
  const unit = rule.unit === undefined ? "" : ` ${unitInWords(rule.unit)}`;
  const limits = [
    ...(rule.above === undefined ? [] : [words.aboveLimit(`${rule.above}${unit}`)]),
    ...(rule.below === undefined ? [] : [words.belowLimit(`${rule.below}${unit}`)]),
  ].join(` ${words.or} `);
  const lasting = rule.holdSeconds === 0 ? "" : words.lasting(rule.holdSeconds);
  const condition = [text?.condition ?? rule.kind, limits, lasting]
    .filter((part) => part !== "")
    .join(" ");
  const place = placeOf(rule);
  const tagged = rule.tags.length === 0 ? "" : words.tagged(rule.tags.join(", "));
  const where = [place === "" ? "" : words.at(place), tagged].filter((part) => part !== "");
  return [condition, ...where].join(", ");
}

function placeOf({ d, ep, path }: Rule): string {
  const endpoint = ep === "*" ? "" : ep;
  const resource = path === "*" ? "" : `/${path}`;
  const name = resource === "" ? endpoint : `${ep}${resource}`;
  return d === undefined ? name : `${name === "" ? "" : `${name} `}(${d})`;
}
