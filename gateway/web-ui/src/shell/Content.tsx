import { Alert, Skeleton } from "@mantine/core";
import { Suspense, useEffect, useRef } from "react";
import { Route, Switch } from "wouter";
import { useGateway, useConnection } from "../hooks/gateway";
import { useSession } from "../hooks/session";
import { Warning } from "../parts/icons";
import { Page } from "../parts/Page";
import { PageBoundary } from "./PageBoundary";
import { useLanguage, useMessages, useUnits } from "../hooks/messages";
import { hasRole } from "../gateway/roles";
import { Redirect, SIGN_IN, useLocation } from "../hooks/router";
import { routes, type PageRoute } from "./routes";
import { Stale } from "./Stale";
import { shellMessages } from "./shellMessages";

/** The page that the address names, with the notices that concern every page. */
export function Content() {
  const texts = useMessages(shellMessages);
  const { canVerify } = useGateway();
  const connection = useConnection();
  const [location] = useLocation();
  // Another unit changes texts of every page, and memoised rows know nothing of it.
  const units = JSON.stringify(useUnits());
  return (
    <main className="content" tabIndex={-1}>
      {connection === "forbidden" && (
        <Alert color="yellow" icon={<Warning size={20} />} title={texts.noDomainTitle}>
          {texts.noDomain}
        </Alert>
      )}
      {!canVerify && (
        <Alert color="yellow" icon={<Warning size={20} />} title={texts.insecureTitle}>
          {texts.insecure}
        </Alert>
      )}
      <Stale />
      <PageBoundary location={location}>
        <Suspense fallback={<Loading />}>
          <Switch key={location.startsWith("/system") ? "" : units}>
            {routes.map((route) => (
              <Route key={route.path} path={route.path}>
                <Opened route={route} />
              </Route>
            ))}
            <Route path="/">
              <Redirect to={routes[0]?.path ?? "/"} />
            </Route>
            <Route path={SIGN_IN}>
              <AfterSignIn />
            </Route>
            <Route>
              <Page title={texts.notFound}>
                <p>{texts.notFoundWhat}</p>
              </Page>
            </Route>
          </Switch>
        </Suspense>
      </PageBoundary>
    </main>
  );
}

/** The sign-in page is left once somebody is signed in; `Shell` shows it to everybody else. */
function AfterSignIn() {
  return useSession().state === "unknown" ? <Loading /> : <Redirect to="/" />;
}

function Opened({ route }: { route: PageRoute }) {
  const texts = useMessages(shellMessages);
  const title = route.title[useLanguage()];
  const session = useSession();
  useEffect(() => {
    document.title = `${title} · Vigil`;
  }, [title]);
  useFocusOnPage(route.path);
  const { needs, page: Opening } = route;
  if (needs !== undefined && !hasRole(session, needs)) {
    return (
      <Page title={session.state === "signed-in" ? texts.noRight : texts.signInFirst}>
        <p>{texts.noRightWhat(needs)}</p>
      </Page>
    );
  }
  return <Opening />;
}

/** Whether a page has been opened since the application started. */
let opened = false;

/** After the first page, each new page takes the focus, like a separate document. */
function useFocusOnPage(path: string): void {
  const first = useRef(!opened);
  useEffect(() => {
    opened = true;
    if (first.current) return;
    document.querySelector<HTMLElement>("main.content")?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [path]);
}

function Loading() {
  const texts = useMessages(shellMessages);
  return (
    <div className="page" aria-busy="true" aria-label={texts.loading} role="status">
      <Skeleton height={32} width={220} radius="md" />
      <Skeleton height={180} radius="md" />
    </div>
  );
}
