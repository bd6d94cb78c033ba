// Checks an OpenAPI document with Redocly's recommended rules and Spectral's: node lint.mjs FILE
import { createConfig, lint } from "@redocly/openapi-core";
import core from "@stoplight/spectral-core";
import parsers from "@stoplight/spectral-parsers";
import rulesets from "@stoplight/spectral-rulesets";
import { readFileSync } from "node:fs";

const [file] = process.argv.slice(2);
const found = [];

const config = await createConfig({ extends: ["recommended"] });
for (const problem of await lint({ ref: file, config })) {
  const place = problem.location[0];
  found.push(`redocly ${problem.ruleId}: ${problem.message} at ${place.pointer ?? place.start?.line}`);
}

const spectral = new core.Spectral();
spectral.setRuleset({ extends: [rulesets.oas] });
const document = new core.Document(readFileSync(file, "utf8"), parsers.Json, file);
for (const problem of await spectral.run(document)) {
  found.push(`spectral ${problem.code}: ${problem.message} at ${problem.path.join("/")}`);
}

for (const line of found) console.log(line);
process.exit(found.length > 0 ? 1 : 0);
