/** `npm test`: prepares the machine, then hands over to `test.ts`. */
import { run } from "./bootstrap.mjs";

await run("test.ts");
