/** `npm run page`: writes the files of the page at `/api-docs` to `.page`, from where `npm run deploy` takes them. */
import { pageFolder, writePageForDeployment } from "./runner/page-files.ts";

await writePageForDeployment();
process.stdout.write(`written: ${pageFolder}\n`);
