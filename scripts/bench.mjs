/** `npm run bench`: prepares the machine, then runs `verification/bench-command.ts`. */
import { run } from "./bootstrap.mjs";

await run("verification/bench-command.ts");
