/** `npm run fuzz:ride`: prepares the machine, then runs `verification/fuzz/fuzz-ride-command.ts`. */
import { run } from "./bootstrap.mjs";

await run("verification/fuzz/fuzz-ride-command.ts");
