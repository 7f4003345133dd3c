/**
 * `npm run page`: writes the files that `npm run deploy` uploads besides the Worker: the pages to `.page`, the script
 * compiler to `.compiler`.
 */
import { compilerFolder, webFolder, writeForDeployment } from "../local/runtime/web-files.ts";

await writeForDeployment();
process.stdout.write(`written: ${webFolder}, ${compilerFolder}\n`);
