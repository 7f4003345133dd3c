/** `npm run types`: prepares the machine, then runs `scripts/types.ts`. */
import { run } from "./bootstrap.mjs";

await run("scripts/types.ts");
