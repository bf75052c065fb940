import { launch, serve, open } from "./page.mjs";
const server = await serve(); const browser = await launch();
for (const [query, width] of [["", 320], ["?lesson=credit", 320], ["", 360]]) {
  const { page, close } = await open(browser, server.address + query, { viewport: { width, height: 780 } });
  const found = await page.evaluate(() => [...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".scroll, .unseen")).map((e) => `${e.tagName}.${e.className} ${Math.round(e.getBoundingClientRect().left)}-${Math.round(e.getBoundingClientRect().right)}`).slice(0, 12));
  console.log(query, width, await page.evaluate(() => document.documentElement.scrollWidth), found);
  await page.screenshot({ path: `/tmp/shots/w${width}${query.slice(1, 4)}.png` });
  await close();
}
await browser.close(); server.close();
