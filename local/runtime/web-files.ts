/**
 * Files that a deployment takes besides the sources: the script compiler, and the pages at `/api-docs` and `/explorer`: what `web/api-docs/`
 * and `web/explorer/` hold, and of Swagger UI what the first one needs.
 */
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { bundlePages, writeCompiler } from "./bundle.ts";

/** Of Swagger UI's package; the rest of it is for other pages. */
const packageFiles = ["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"];
/** By folder: files as they are, and the page's own text with the name that it has among all these files. */
const pages = [
  { folder: "web/api-docs", files: ["page.css"], entry: "index.html" },
  { folder: "web/explorer", files: ["explorer.svg"], entry: "explorer.html" },
] as const;

const projectRoot = path.resolve(import.meta.dirname, "../..");

/** Where `wrangler.toml` looks for them, from the project's folder. */
export const pageFolder = ".page";

/** Where `wrangler.toml` looks for the script compiler. */
export const compilerFolder = ".compiler";

/** Makes the pages and the compiler again. */
export async function writeForDeployment(): Promise<void> {
  const compiler = path.join(projectRoot, compilerFolder);
  mkdirSync(compiler, { recursive: true });
  writeCompiler(projectRoot, compiler);
  const folder = path.join(projectRoot, pageFolder);
  await bundlePages(projectRoot, folder);
  writePages(folder);
}

/** Writes the files into a folder that holds the bundles of the pages already. */
export function writePages(folder: string): void {
  const packageFolder = path.dirname(
    createRequire(path.join(projectRoot, "package.json")).resolve("swagger-ui-dist/package.json"),
  );
  for (const file of packageFiles) copyFileSync(path.join(packageFolder, file), path.join(folder, file));
  for (const { folder: name, files, entry } of pages) {
    const sources = path.join(projectRoot, name);
    for (const file of files) copyFileSync(path.join(sources, file), path.join(folder, file));
    const html = readFileSync(path.join(sources, "index.html"), "utf8");
    writeFileSync(path.join(folder, entry), withDigests(html, folder));
  }
}

/** Names each file with a digest of it, so that browsers keep what has not changed, and nothing else. */
function withDigests(html: string, folder: string): string {
  return html.replace(/(?<=(?:src|href)="(?:\/explorer\/)?)[\w.-]+\.(?:js|css|png|svg)(?=")/g, (file) => {
    const digest = createHash("sha256")
      .update(readFileSync(path.join(folder, file)))
      .digest("hex")
      .slice(0, 16);
    return `${file}?v=${digest}`;
  });
}
