/** `npm run check:read-model`: prepares the machine, then runs `verification/check-read-model-command.ts`. */
import { run } from "./bootstrap.mjs";

await run("verification/check-read-model-command.ts");
