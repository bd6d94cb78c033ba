import { createTheme } from "@mantine/core";

/** Colours and sizes stay Mantine's own, so that its style sheet needs no generated variables. */
export const theme = createTheme({
  primaryColor: "cyan",
  respectReducedMotion: true,
  defaultRadius: "md",
});
