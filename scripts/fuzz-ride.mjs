/** `npm run fuzz:ride`: prepares the machine, then hands over to `fuzz-ride.ts`. */
import { run } from "./bootstrap.mjs";

await run("fuzz-ride.ts");
