import type { ReactNode } from "react";

function icon(drawing: ReactNode) {
  return function Icon({ size = 16 }: { size?: number }) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden
      >
        {drawing}
      </svg>
    );
  };
}

const SHIELD = (
  <path d="M12 3l7.5 2.600v5.900c0 4.5-3 7.8-7.5 9.5-4.5-1.7-7.5-5-7.5-9.500V5.600z" />
);

export const ShieldCheck = icon(
  <>
    {SHIELD}
    <path d="M8.7 12l2.3 2.3 4.4-4.5" />
  </>,
);
export const ShieldCross = icon(
  <>
    {SHIELD}
    <path d="M9.5 9.500l5 5M14.5 9.500l-5 5" />
  </>,
);
export const ShieldQuestion = icon(
  <>
    {SHIELD}
    <path d="M12 8v4.500M12 16h.01" />
  </>,
);
export const Check = icon(<path d="M5 12.500l4.5 4.500L19 7.5" />);
export const Cross = icon(<path d="M6 6l12 12M18 6L6 18" />);
export const Dash = icon(<path d="M7 12h10" />);
export const Copy = icon(
  <>
    <rect x="9" y="9" width="11" height="11" rx="2" />
    <path d="M15 5.500V5a1.5 1.5 0 0 0-1.5-1.500H5A1.5 1.5 0 0 0 3.5 5v8.500A1.5 1.5 0 0 0 5 15h.5" />
  </>,
);
export const Chevron = icon(<path d="M9.5 6l6 6-6 6" />);
export const Tiles = icon(
  <>
    <rect x="4" y="4" width="7" height="9" rx="1.5" />
    <rect x="13" y="4" width="7" height="5" rx="1.5" />
    <rect x="4" y="15" width="7" height="5" rx="1.5" />
    <rect x="13" y="11" width="7" height="9" rx="1.5" />
  </>,
);
export const Bolt = icon(<path d="M13 3L5.5 13.500H12L11 21l7.5-10.500H12z" />);
export const Search = icon(
  <>
    <circle cx="11" cy="11" r="6.5" />
    <path d="M16 16l4.5 4.5" />
  </>,
);
export const Sun = icon(
  <>
    <circle cx="12" cy="12" r="4" />
    <path d="M12 2.500v2M12 19.500v2M2.5 12h2M19.5 12h2M5.3 5.300l1.4 1.400M17.3 17.300l1.4 1.400M5.3 18.700l1.4-1.400M17.3 6.700l1.4-1.4" />
  </>,
);
export const Moon = icon(<path d="M20 14.500A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.500z" />);
export const Warning = icon(
  <>
    <path d="M12 4l9 16H3z" />
    <path d="M12 10v4.500M12 17.300h.01" />
  </>,
);
export const Key = icon(
  <>
    <circle cx="8" cy="15.5" r="4.5" />
    <path d="M11.3 12.200L20 3.500M16 7.500l3 3" />
  </>,
);

export const Menu = icon(<path d="M4 6.500h16M4 12h16M4 17.500h16" />);
export const User = icon(
  <>
    <circle cx="12" cy="8" r="4" />
    <path d="M4.5 20c.8-4 3.8-6 7.5-6s6.7 2 7.5 6" />
  </>,
);
export const Gauge = icon(
  <>
    <path d="M4 18a9 9 0 1 1 16 0" />
    <path d="M12 15.500l4-5.500" />
  </>,
);
export const Sensor = icon(
  <>
    <circle cx="12" cy="12" r="2.2" />
    <path d="M7.8 16.200a6 6 0 0 1 0-8.400M16.2 7.800a6 6 0 0 1 0 8.400M4.9 19.100a10 10 0 0 1 0-14.200M19.1 4.900a10 10 0 0 1 0 14.200" />
  </>,
);
export const Mesh = icon(
  <>
    <circle cx="12" cy="5" r="2.500" />
    <circle cx="5" cy="19" r="2.500" />
    <circle cx="19" cy="19" r="2.500" />
    <path d="M10.9 7.300L6.1 16.700M13.1 7.300l4.8 9.400M7.5 19h9" />
  </>,
);

export const Lock = icon(
  <>
    <rect x="5" y="11" width="14" height="9" rx="2" />
    <path d="M8 11V8a4 4 0 0 1 8 0v3" />
  </>,
);
export const Battery = icon(
  <>
    <rect x="3" y="8" width="15.5" height="9" rx="2" />
    <path d="M21.5 11v3M7 11v3M11 11v3" />
  </>,
);
export const Book = icon(
  <>
    <path d="M5 5.500A2.5 2.5 0 0 1 7.5 3H19v18H7.500A2.5 2.5 0 0 1 5 18.500z" />
    <path d="M5 18.500A2.5 2.5 0 0 1 7.5 16H19M9 7.500h6" />
  </>,
);
export const Bell = icon(
  <>
    <path d="M6 17c1.200-1.200 1.500-3 1.500-6a4.5 4.5 0 0 1 9 0c0 3 .3 4.800 1.500 6z" />
    <path d="M10.3 20a2 2 0 0 0 3.400 0M12 4v2.500" />
  </>,
);
export const History = icon(
  <>
    <path d="M4.5 12a7.5 7.5 0 1 0 2.400-5.500M4 4.500v4h4" />
    <path d="M12 8v4.300l2.800 1.700" />
  </>,
);
export const Domains = icon(
  <>
    <rect x="4" y="4" width="7" height="7" rx="1.500" />
    <rect x="13" y="4" width="7" height="7" rx="1.500" />
    <rect x="4" y="13" width="7" height="7" rx="1.500" />
    <rect x="13" y="13" width="7" height="7" rx="1.500" />
  </>,
);
export const Users = icon(
  <>
    <circle cx="9" cy="8.500" r="3.500" />
    <path d="M2.5 19c.7-3.300 3.200-5 6.500-5s5.800 1.700 6.500 5M15.5 5.200a3.500 3.500 0 0 1 0 6.600M17.5 14.300c2.200.6 3.600 2.200 4 4.700" />
  </>,
);
export const Server = icon(
  <>
    <rect x="4" y="4" width="16" height="7" rx="1.500" />
    <rect x="4" y="13" width="16" height="7" rx="1.500" />
    <path d="M7.5 7.500h.01M7.5 16.500h.01M11 7.500h5M11 16.500h5" />
  </>,
);

/** A balance. */
export const Scales = icon(
  <>
    <path d="M12 4v16M8 20h8M5 7h14" />
    <path d="M5 7l-2.500 6.500a2.7 2.700 0 0 0 5 0zM19 7l-2.500 6.500a2.7 2.700 0 0 0 5 0z" />
  </>,
);

export function Logo() {
  return (
    <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden>
      <rect width="32" height="32" rx="8" className="logo-ground" />
      <path
        d="M5 16c3-5.2 6.7-7.8 11-7.800s8 2.6 11 7.800c-3 5.2-6.7 7.8-11 7.800S8 21.2 5 16z"
        className="logo-lid"
      />
      <circle cx="16" cy="16" r="3.8" className="logo-eye" />
    </svg>
  );
}
