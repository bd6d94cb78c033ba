import { createTheme } from "@mantine/core";

/** Colours and sizes are Mantine's defaults, so that its style sheet needs no generated variables. */
export const theme = createTheme({
  primaryColor: "cyan",
  respectReducedMotion: true,
  defaultRadius: "md",
});
