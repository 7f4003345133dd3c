/** `npm run page`: writes the files of the API docs at `/api-docs` to `.page`, where `npm run deploy` finds them. */
import { pageFolder, writePageForDeployment } from "./runner/page-files.ts";

await writePageForDeployment();
process.stdout.write(`written: ${pageFolder}\n`);
