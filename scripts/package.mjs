/** `npm run prepack`: prepares the machine, then runs `scripts/package.ts`. */
import { run } from "./bootstrap.mjs";

await run("scripts/package.ts");
