import "./shell/mantine";
import "uplot/dist/uPlot.min.css";
import "./shell/base.css";
import "./shell/shell.css";
import "./parts/parts.css";
import { MantineProvider } from "@mantine/core";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Shell } from "./shell/Shell";
import { theme } from "./shell/theme";
import { loadUnits, setGatewayUnits } from "./text/displayUnits";
import { loadLanguage } from "./text/language";
import { Pins } from "./verify/pins";
import { GatewayContext } from "./hooks/gateway";
import type { Change } from "./gateway/changes";
import { Api } from "./gateway/api";
import { EndpointStore } from "./gateway/endpointStore";
import { Feed } from "./gateway/feed";
import type { Schemas } from "./gateway/schemas";
import { SessionStore } from "./gateway/session";
import { Topic } from "./gateway/topic";
import { Verifier } from "./gateway/verifier";

const api = new Api(document.baseURI);
// Undefined on insecure origins, although the type does not say so.
const subtle = crypto.subtle as SubtleCrypto | undefined;
const storage: Pick<Storage, "getItem" | "setItem"> = {
  getItem: (item) => localStorage.getItem(item),
  setItem: (item, text) => localStorage.setItem(item, text),
};
loadLanguage(storage, navigator.languages);
loadUnits(storage);
const alarms = new Topic<unknown>();
const changes = new Topic<Change>();
const pins = new Pins(storage, () => new Date());
const store = new EndpointStore(new Verifier(api, subtle), pins, {
  now: () => api.now(),
  after: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
});
window.addEventListener("storage", () => store.pinsChanged());
const session = new SessionStore(api, () => feed.restart());
const feed = new Feed(api, {
  onConnection: (connection) => {
    store.onConnection(connection);
    if (connection === "forbidden" || connection === "live") void session.refresh();
    if (connection === "live") void loadGatewayUnits();
  },
  known: (endpoint) => store.known(endpoint),
  onAll: (endpoints, changedMeanwhile) => store.onAll(endpoints, changedMeanwhile),
  onEndpoint: (endpoint) => store.onEndpoint(endpoint),
  onGone: (id) => store.onGone(id),
  onAlarm: (alarm) => alarms.publish(alarm),
  onChange: (change) => changes.publish(change),
});
/** Without the gateway's units, numbers are shown as measured. */
async function loadGatewayUnits(): Promise<void> {
  try {
    setGatewayUnits((await api.json("api/display-units")) as Schemas["DisplayUnits"]);
  } catch {
    // The next connection tries again.
  }
}

void session.refresh();
feed.start();

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");
createRoot(root).render(
  <StrictMode>
    {/* The style sheet defines variables and classes, because the Content-Security-Policy forbids inline styles. */}
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <GatewayContext
        value={{ api, store, canVerify: subtle !== undefined, pins, session, alarms, changes }}
      >
        <Shell />
      </GatewayContext>
    </MantineProvider>
  </StrictMode>,
);
