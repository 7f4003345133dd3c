/** `npm run secrets`: prepares the machine, then runs `scripts/secrets.ts`. */
import { run } from "./bootstrap.mjs";

await run("scripts/secrets.ts");
