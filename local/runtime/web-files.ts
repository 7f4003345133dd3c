/**
 * Files that a deployment needs besides the sources: the script compiler, and the pages at `/api-docs` and `/explorer`,
 * made of `web/api-docs/`, `web/explorer/` and the used files of Swagger UI.
 */
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { bundleWebScripts, writeCompiler } from "./bundle.ts";

/** Used files of Swagger UI's package. */
const packageFiles = ["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"];
/** Pages by source folder: files to copy unchanged, and the name of the page's HTML file among all files. */
const webApps = [
  { folder: "web/api-docs", files: ["page.css"], entry: "index.html" },
  { folder: "web/explorer", files: ["explorer.svg"], entry: "explorer.html" },
] as const;

const projectRoot = path.resolve(import.meta.dirname, "../..");

/** Folder in which `wrangler.toml` looks for the pages, as a path from the project's folder. */
export const webFolder = ".page";

/** Folder in which `wrangler.toml` looks for the script compiler. */
export const compilerFolder = ".compiler";

/** Rebuilds the pages and the compiler. */
export async function writeForDeployment(): Promise<void> {
  const compiler = path.join(projectRoot, compilerFolder);
  mkdirSync(compiler, { recursive: true });
  writeCompiler(projectRoot, compiler);
  const folder = path.join(projectRoot, webFolder);
  await bundleWebScripts(projectRoot, folder);
  writeWebFiles(folder);
}

/** Writes the files into a folder that already holds the bundles of the pages. */
export function writeWebFiles(folder: string): void {
  const packageFolder = path.dirname(
    createRequire(path.join(projectRoot, "package.json")).resolve("swagger-ui-dist/package.json"),
  );
  for (const file of packageFiles) copyFileSync(path.join(packageFolder, file), path.join(folder, file));
  for (const { folder: name, files, entry } of webApps) {
    const sources = path.join(projectRoot, name);
    for (const file of files) copyFileSync(path.join(sources, file), path.join(folder, file));
    const html = readFileSync(path.join(sources, "index.html"), "utf8");
    writeFileSync(path.join(folder, entry), withDigests(html, folder));
  }
}

/** Adds a digest to the URL of each file, so that browsers cache exactly the unchanged files. */
function withDigests(html: string, folder: string): string {
  return html.replace(/(?<=(?:src|href)="(?:\/explorer\/)?)[\w.-]+\.(?:js|css|png|svg)(?=")/g, (file) => {
    const digest = createHash("sha256")
      .update(readFileSync(path.join(folder, file)))
      .digest("hex")
      .slice(0, 16);
    return `${file}?v=${digest}`;
  });
}
