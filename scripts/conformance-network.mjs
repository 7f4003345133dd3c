/**
 * `npm run conformance:network`: prepares the machine, then runs `verification/conformance/network/network-command.ts`.
 */
import { run } from "./bootstrap.mjs";

await run("verification/conformance/network/network-command.ts");
