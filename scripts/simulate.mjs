/** `npm run simulate`: prepares the machine, then runs `verification/simulation/simulate-command.ts`. */
import { run } from "./bootstrap.mjs";

await run("verification/simulation/simulate-command.ts");
