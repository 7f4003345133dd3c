/** `npm run faults`: prepares the machine, then runs `verification/faults/faults-command.ts`. */
import { run } from "./bootstrap.mjs";

await run("verification/faults/faults-command.ts");
