import { unitInWords } from "../../text/format";
import type { Rule } from "./api";
import type { messages } from "./messages";

type Words = Pick<
  typeof messages.en,
  "condition" | "aboveLimit" | "belowLimit" | "or" | "lasting" | "at"
>;

/** The condition of a rule in one line, for instance "a value is above 30 °C, at oven-*\/temp". */
export function conditionText(rule: Rule, words: Words): string {
  const unit = rule.unit === undefined ? "" : ` ${unitInWords(rule.unit)}`;
  const limits = [
    ...(rule.above === undefined ? [] : [words.aboveLimit(`${rule.above}${unit}`)]),
    ...(rule.below === undefined ? [] : [words.belowLimit(`${rule.below}${unit}`)]),
  ].join(` ${words.or} `);
  const lasting = rule.holdSeconds === 0 ? "" : words.lasting(rule.holdSeconds);
  const condition = [words.condition[rule.kind], limits, lasting]
    .filter((part) => part !== "")
    .join(" ");
  const place = placeOf(rule);
  return place === "" ? condition : `${condition}, ${words.at(place)}`;
}

function placeOf({ d, ep, path }: Rule): string {
  const endpoint = ep === "*" ? "" : ep;
  const resource = path === "*" ? "" : `/${path}`;
  const name = resource === "" ? endpoint : `${ep}${resource}`;
  return d === undefined ? name : `${name === "" ? "" : `${name} `}(${d})`;
}
