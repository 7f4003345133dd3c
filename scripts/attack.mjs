/** `npm run attack`: prepares the machine, then runs `verification/attacks/attack-command.ts`. */
import { run } from "./bootstrap.mjs";

await run("verification/attacks/attack-command.ts");
