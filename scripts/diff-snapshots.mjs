/** `npm run diff:snapshots`: prepares the machine, then runs `verification/replay/diff-snapshots-command.ts`. */
import { run } from "./bootstrap.mjs";

await run("verification/replay/diff-snapshots-command.ts");
