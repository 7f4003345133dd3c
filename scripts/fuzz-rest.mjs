/** `npm run fuzz:rest`: prepares the machine, then hands over to `fuzz-rest.ts`. */
import { run } from "./bootstrap.mjs";

await run("fuzz-rest.ts");
