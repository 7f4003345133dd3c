/** The machine's browser, for tests of pages. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const executables = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** undefined: there is none, and tests that need one are skipped. */
export const chromiumPath = executables.find(existsSync);
if (chromiumPath === undefined) {
  console.log(`skipped: pages in a browser, because there is no Chromium (${executables.join(", ")})`);
}

/** Without them a browser contacts its vendor. */
const quietly = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath as string, args: quietly });
}
