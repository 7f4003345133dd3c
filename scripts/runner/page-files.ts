/**
 * The files of the page at `/api-docs`: what `page/` holds, and of Swagger UI what the page needs.
 */
import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { bundlePage } from "./bundle.ts";
import { bundleFiles } from "./runtime-files.ts";

/** Of Swagger UI's package; the rest of it is for other pages. */
const packageFiles = ["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"];
const ownFiles = ["page.css"];
const entry = "index.html";

const projectRoot = path.resolve(import.meta.dirname, "../..");

/** Where `wrangler.toml` looks for them, from the project's folder. */
export const pageFolder = ".page";

/** Makes all anew. */
export async function writePageForDeployment(): Promise<void> {
  const folder = path.join(projectRoot, pageFolder);
  await bundlePage(projectRoot, path.join(folder, bundleFiles.page));
  writePage(folder);
}

/** Writes the files into a folder that holds the page's script already. */
export function writePage(folder: string): void {
  const packageFolder = path.dirname(
    createRequire(path.join(projectRoot, "package.json")).resolve("swagger-ui-dist/package.json"),
  );
  const sources = path.join(projectRoot, "page");
  for (const file of packageFiles) copyFileSync(path.join(packageFolder, file), path.join(folder, file));
  for (const file of ownFiles) copyFileSync(path.join(sources, file), path.join(folder, file));
  const html = readFileSync(path.join(sources, entry), "utf8");
  writeFileSync(path.join(folder, entry), withDigests(html, folder));
}

/** Names each file with a digest of it, so that browsers keep what has not changed, and nothing else. */
function withDigests(html: string, folder: string): string {
  return html.replace(/(?<=(?:src|href)=")[\w.-]+\.(?:js|css|png)(?=")/g, (file) => {
    const digest = createHash("sha256")
      .update(readFileSync(path.join(folder, file)))
      .digest("hex")
      .slice(0, 16);
    return `${file}?v=${digest}`;
  });
}
