/** `npm run prepack`, which `npm pack` runs: builds the package's files into `dist`. */
import path from "node:path";
import { buildPackage } from "./package/build-package.ts";

await buildPackage(path.dirname(import.meta.dirname));
