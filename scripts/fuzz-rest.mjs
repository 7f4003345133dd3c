/** `npm run fuzz:rest`: prepares the machine, then runs `verification/fuzz/rest/fuzz-rest-command.ts`. */
import { run } from "./bootstrap.mjs";

await run("verification/fuzz/rest/fuzz-rest-command.ts");
