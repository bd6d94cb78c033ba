/**
 * Loads the page again if the gateway has another version of it. Scripts have a digest in their
 * names.
 */
export async function reloadAfterUpgrade(): Promise<void> {
  const own = document.querySelector("script[type=module]")?.getAttribute("src");
  try {
    const response = await fetch(new URL("wallboard.html", document.baseURI), {
      credentials: "omit",
      cache: "no-store",
    });
    const text = await response.text();
    if (response.ok && own !== null && own !== undefined && !text.includes(own)) {
      window.location.reload();
    }
  } catch {
    // The next connection tries it again.
  }
}
