/** `npm run faults`: prepares the machine, then hands over to `faults.ts`. */
import { run } from "./bootstrap.mjs";

await run("faults.ts");
