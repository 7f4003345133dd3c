/** `npm run diff:snapshots`: prepares the machine, then hands over to `diff-snapshots.ts`. */
import { run } from "./bootstrap.mjs";

await run("diff-snapshots.ts");
