// A client of the generated types: asks a running gateway, and fails if an answer differs from the document.
//   node client.js URL TOKEN
import createClient from "openapi-fetch";
import type { paths } from "./schema";

declare const process: { argv: string[] };

const [baseUrl, token] = process.argv.slice(2) as [string, string];
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });

function equal(found: unknown, wanted: unknown): void {
  if (found !== wanted) throw new Error(`${String(found)} instead of ${String(wanted)}`);
}

const list = await client.GET("/api/endpoints", { params: { query: { ep: "typed", trust: "trusted", limit: 1 } } });
const endpoint = list.data?.endpoints[0];
if (!endpoint) throw new Error("the endpoint is not listed");
equal(endpoint.ep, "typed");
equal(endpoint.freshness === "on-time" || endpoint.freshness === "late", true);

const path = { id: endpoint.id };
const label = await client.PUT("/api/endpoints/{id}/label", { params: { path }, body: { name: "Pump" } });
equal(label.data?.name, "Pump");
equal(label.response.headers.get("ETag") !== null, true);

const history = await client.GET("/api/endpoints/{id}/resources/{path}/history", {
  params: { path: { ...path, path: "load" }, query: { order: "newest", limit: 1 } },
});
equal(typeof history.data?.values?.[0]?.seq, "number");

const refused = await client.GET("/api/endpoints", { params: { query: { limit: 5000 } } });
equal(refused.error?.status, 400);
equal(refused.error?.detail?.startsWith("limit"), true);
console.log("typed");
