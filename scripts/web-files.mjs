/** `npm run page`: prepares the machine, then runs `scripts/web-files.ts`. */
import { run } from "./bootstrap.mjs";

await run("scripts/web-files.ts");
