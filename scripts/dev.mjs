/** `npm run dev -- COMMAND`: prepares the machine, then runs `scripts/dev-clone.ts`. */
import { run } from "./bootstrap.mjs";

await run("scripts/dev-clone.ts");
