/** `npm run checkpoint`: prepares the machine, then runs `scripts/checkpoint.ts`. */
import { run } from "./bootstrap.mjs";

await run("scripts/checkpoint.ts");
