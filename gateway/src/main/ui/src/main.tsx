import "./views/mantine";
import "uplot/dist/uPlot.min.css";
import "./views/page.css";
import { MantineProvider } from "@mantine/core";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { theme } from "./theme";
import { Pins } from "./verify/pins";
import { App } from "./views/App";
import { GatewayContext } from "./hooks/gateway";
import { Api } from "./gateway/api";
import { EndpointStore } from "./gateway/endpointStore";
import { Feed } from "./gateway/feed";
import { Verifier } from "./gateway/verifier";

const api = new Api(document.baseURI);
// Undefined on insecure origins, although the type does not say so.
const subtle = crypto.subtle as SubtleCrypto | undefined;
const storage: Pick<Storage, "getItem" | "setItem"> = {
  getItem: (item) => localStorage.getItem(item),
  setItem: (item, text) => localStorage.setItem(item, text),
};
const pins = new Pins(storage, () => new Date());
const store = new EndpointStore(new Verifier(api, subtle), pins, {
  now: () => api.now(),
  after: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
});
window.addEventListener("storage", () => store.pinsChanged());
new Feed(api, store).start();

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");
createRoot(root).render(
  <StrictMode>
    {/* The style sheet has variables and classes: the Content-Security-Policy forbids inline styles. */}
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <GatewayContext value={{ api, store, canVerify: subtle !== undefined, pins }}>
        <App />
      </GatewayContext>
    </MantineProvider>
  </StrictMode>,
);
