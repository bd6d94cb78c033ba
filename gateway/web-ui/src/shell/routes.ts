import { lazy, type ComponentType } from "react";
import {
  Battery,
  Bell,
  Bolt,
  Book,
  Domains,
  History,
  Key,
  Lock,
  Mesh,
  Sensor,
  Server,
  Tiles,
  Users,
} from "../parts/icons";
import type { Role } from "../gateway/roles";
import type { Language } from "../text/language";
import { Gauge } from "../parts/icons";

/** One page of the application. */
export interface PageRoute {
  /** Address after "#"; `:name` is a parameter, `*?` the optional rest (see regexparam). */
  path: string;
  title: Record<Language, string>;
  /** Undefined for pages that are reached by links only: they are not in the navigation. */
  icon: ComponentType<{ size?: number }> | undefined;
  /** Loaded when the page is opened for the first time. */
  page: ComponentType;
  /** The lowest role, in some domain; if undefined, anyone who may look up endpoints. */
  needs?: Role;
}

/** All pages, in the order of the navigation. The first one opens at "#/". */
export const routes: readonly PageRoute[] = [
  {
    path: "/overview",
    title: { en: "Overview", de: "Überblick" },
    icon: Gauge,
    page: lazy(() => import("../pages/overview/OverviewPage")),
  },
  {
    path: "/endpoints",
    title: { en: "Endpoints", de: "Endpunkte" },
    icon: Sensor,
    page: lazy(() => import("../pages/endpoints/EndpointsPage")),
  },
  {
    path: "/endpoints/:id/*?",
    title: { en: "Endpoint", de: "Endpunkt" },
    icon: undefined,
    page: lazy(() => import("../pages/endpoint/EndpointPage")),
  },
  {
    path: "/dashboards",
    title: { en: "Dashboards", de: "Dashboards" },
    icon: Tiles,
    page: lazy(() => import("../pages/dashboards/DashboardsPage")),
  },
  {
    path: "/dashboards/:id",
    title: { en: "Dashboard", de: "Dashboard" },
    icon: undefined,
    page: lazy(() => import("../pages/dashboards/BoardPage")),
  },
  {
    path: "/network",
    title: { en: "Network", de: "Netz" },
    icon: Mesh,
    page: lazy(() => import("../pages/network/NetworkPage")),
  },
  {
    path: "/trust",
    title: { en: "Trust", de: "Vertrauen" },
    icon: Key,
    page: lazy(() => import("../pages/trust/TrustPage")),
  },
  {
    path: "/enrol",
    title: { en: "Enrol a mote", de: "Sensor aufnehmen" },
    icon: undefined,
    page: lazy(() => import("../pages/enrol/EnrolPage")),
    needs: "operator",
  },
  {
    path: "/labels",
    title: { en: "Print labels", de: "Etiketten drucken" },
    icon: undefined,
    page: lazy(() => import("../pages/enrol/LabelsPage")),
  },
  {
    path: "/directory",
    title: { en: "Directory", de: "Verzeichnis" },
    icon: Book,
    page: lazy(() => import("../pages/directory/DirectoryPage")),
  },
  {
    path: "/directory/:kind/:id",
    title: { en: "Directory", de: "Verzeichnis" },
    icon: undefined,
    page: lazy(() => import("../pages/directory/DirectoryPage")),
  },
  {
    path: "/ipsec",
    title: { en: "IPsec", de: "IPsec" },
    icon: Lock,
    page: lazy(() => import("../pages/ipsec/IpsecPage")),
    needs: "operator",
  },
  {
    path: "/cost",
    title: { en: "Cost of security", de: "Kosten der Sicherheit" },
    icon: Battery,
    page: lazy(() => import("../pages/cost/CostPage")),
  },
  {
    path: "/alarms",
    title: { en: "Alarms", de: "Alarme" },
    icon: Bell,
    page: lazy(() => import("../pages/alarms/AlarmsPage")),
  },
  {
    path: "/automations",
    title: { en: "Automations", de: "Automatisierung" },
    icon: Bolt,
    page: lazy(() => import("../pages/automations/AutomationsPage")),
  },
  {
    path: "/audit",
    title: { en: "Audit", de: "Prüfprotokoll" },
    icon: History,
    page: lazy(() => import("../pages/audit/AuditPage")),
    needs: "operator",
  },
  {
    path: "/domains",
    title: { en: "Domains", de: "Domänen" },
    icon: Domains,
    page: lazy(() => import("../pages/domains/DomainsPage")),
    needs: "operator",
  },
  {
    path: "/accounts",
    title: { en: "Accounts and tokens", de: "Konten und Token" },
    icon: Users,
    page: lazy(() => import("../pages/accounts/AccountsPage")),
  },
  {
    path: "/system",
    title: { en: "System", de: "System" },
    icon: Server,
    page: lazy(() => import("../pages/system/SystemPage")),
  },
];
