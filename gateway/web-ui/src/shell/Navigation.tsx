import { useEffect } from "react";
import { useSession } from "../hooks/session";
import { useLanguage, useMessages } from "../hooks/messages";
import { hasRole } from "../gateway/roles";
import { Link, useLocation } from "../hooks/router";
import { routes } from "./routes";
import { shellMessages } from "./shellMessages";

/** The list of pages that the account may use. Narrow screens show it on demand. */
export function Navigation({ shown, onClose }: { shown: boolean; onClose: () => void }) {
  const texts = useMessages(shellMessages);
  const language = useLanguage();
  const session = useSession();
  const [location] = useLocation();
  useEffect(() => {
    if (!shown) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") onClose();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [shown, onClose]);
  const listed = routes.filter(
    ({ icon, needs }) => icon !== undefined && (needs === undefined || hasRole(session, needs)),
  );
  return (
    <nav id="navigation" className="nav" aria-label={texts.navigation} data-shown={shown}>
      <ul>
        {listed.map(({ path, title, icon: Icon }) => {
          const here = location === path || (path !== "/" && location.startsWith(`${path}/`));
          return (
            <li key={path}>
              <Link href={path} className="nav-link" aria-current={here ? "page" : undefined}>
                {Icon !== undefined && <Icon size={18} />}
                {title[language]}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
