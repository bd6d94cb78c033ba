import "./views/mantine";
import "uplot/dist/uPlot.min.css";
import "./views/page.css";
import { MantineProvider } from "@mantine/core";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { theme } from "./theme";
import { Pins } from "./verify/pins";
import { App } from "./views/App";
import { GatewayContext } from "./views/gateway";
import { Api } from "./watch/api";
import { Board } from "./watch/board";
import { Feed } from "./watch/feed";
import { Verifier } from "./watch/verifier";

const api = new Api(document.baseURI);
// Undefined on insecure origins, whatever the type says.
const subtle = crypto.subtle as SubtleCrypto | undefined;
const storage: Pick<Storage, "getItem" | "setItem"> = {
  getItem: (item) => localStorage.getItem(item),
  setItem: (item, text) => localStorage.setItem(item, text),
};
const pins = new Pins(storage, () => new Date());
const board = new Board(new Verifier(api, subtle), pins, {
  now: () => api.now(),
  after: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
});
window.addEventListener("storage", () => board.pinsChanged());
new Feed(api, board).start();

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");
createRoot(root).render(
  <StrictMode>
    {/* Variables and classes come from the style sheet: the policy forbids inline styles. */}
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <GatewayContext value={{ api, board, canVerify: subtle !== undefined, pins }}>
        <App />
      </GatewayContext>
    </MantineProvider>
  </StrictMode>,
);
