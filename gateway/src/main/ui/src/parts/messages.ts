export const partsMessages = {
  en: {
    copy: (what: string) => `Copy ${what}`,
    copied: "Copied",
    cancel: "Cancel",
    close: "Close",
    retry: "Try again",
    empty: "Nothing to show.",
  },
  de: {
    copy: (what: string) => `${what} kopieren`,
    copied: "Kopiert",
    cancel: "Abbrechen",
    close: "Schließen",
    retry: "Noch einmal versuchen",
    empty: "Nichts anzuzeigen.",
  },
};
