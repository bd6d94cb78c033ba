// Screenshots: how much two differ, and which font they use.
const CELL = 16;
/** Of 255. */
const DIFFERENT = 10;

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("playwright-core").BrowserContext} Context */

/** The width of a text in the font of the page, which differs from font to font. @param {Page} page */
export async function fontOf(page) {
  const width = await page.evaluate(() => {
    const drawing = document.createElement("canvas").getContext("2d");
    if (drawing === null) throw new Error("no canvas");
    drawing.font = `100px ${getComputedStyle(document.body).fontFamily}`;
    return drawing.measureText("Hamburgefonstiv 0123456789").width;
  });
  return `font ${width.toFixed(1)}`;
}

/**
 * The share of cells of two pictures whose mean colours differ.
 *
 * @param {Context} context @param {Buffer} one @param {Buffer} other
 */
export async function difference(context, one, other) {
  const page = await context.newPage();
  const share = await page.evaluate(
    async ({ pictures, cell, different }) => {
      const [left, right] = await Promise.all(
        pictures.map(async (picture) => {
          const image = new Image();
          image.src = `data:image/png;base64,${picture}`;
          await image.decode();
          const canvas = document.createElement("canvas");
          canvas.width = Math.ceil(image.width / cell);
          canvas.height = Math.ceil(image.height / cell);
          const drawing = canvas.getContext("2d");
          if (drawing === null) throw new Error("no canvas");
          drawing.imageSmoothingQuality = "high";
          drawing.drawImage(image, 0, 0, canvas.width, canvas.height);
          return drawing.getImageData(0, 0, canvas.width, canvas.height).data;
        }),
      );
      if (left === undefined || right === undefined || left.length !== right.length) return 1;
      let differing = 0;
      for (let at = 0; at < left.length; at += 4) {
        const distances = [at, at + 1, at + 2].map((i) =>
          Math.abs((left[i] ?? 0) - (right[i] ?? 0)),
        );
        if (Math.max(...distances) > different) differing++;
      }
      return (4 * differing) / left.length;
    },
    { pictures: [one, other].map((it) => it.toString("base64")), cell: CELL, different: DIFFERENT },
  );
  await page.close();
  return share;
}
