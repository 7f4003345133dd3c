/** `npm run mutate`: prepares the machine, then runs `verification/mutation/mutate-command.ts`. */
import { run } from "./bootstrap.mjs";

await run("verification/mutation/mutate-command.ts");
