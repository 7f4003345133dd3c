/** `npm run conformance:reference`: prepares the machine, then runs `verification/conformance/reference-command.ts`. */
import { run } from "./bootstrap.mjs";

await run("verification/conformance/reference-command.ts");
