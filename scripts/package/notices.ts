/** Copyright and licences of the packages in the build. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  author: z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]).optional(),
});

/** Licence files in a package's folder, including those of code that it bundles. */
const licenceFile = /^(licen[cs]e|notice|copying)(\.\w+)?$|^swagger-ui-bundle\.js\.LICENSE\.txt$/i;

/** Folders of the packages that files belong to, relative to the project's folder, each once. */
export function packageFolders(files: readonly string[]): readonly string[] {
  const folders = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  return [...new Set(folders)].sort();
}

/** @param folders of packages, relative to the project's folder */
export function noticesOf(projectRoot: string, folders: readonly string[]): string {
  const notices = folders.map((folder) => {
    const packageFolder = path.join(projectRoot, folder);
    const manifest = manifestSchema.parse(JSON.parse(readFileSync(path.join(packageFolder, "package.json"), "utf8")));
    const { name, version, license, author } = manifest;
    const texts = readdirSync(packageFolder)
      .filter((file) => licenceFile.test(file))
      .sort()
      .map((file) => readFileSync(path.join(packageFolder, file), "utf8").trim());
    const by = author === undefined ? "" : `, by ${author}`;
    return [`${name} ${version}${by}. Licence: ${license}`, ...texts].join("\n\n");
  });
  return `Parts of these packages are in the files of this folder.\n\n${notices.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}
