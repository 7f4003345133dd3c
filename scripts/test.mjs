/** `npm test`: prepares the machine, then runs `scripts/test.ts`. */
import { run } from "./bootstrap.mjs";

await run("scripts/test.ts");
