/** `npm run checkpoint`: prepares the machine, then hands over to `checkpoint.ts`. */
import { run } from "./bootstrap.mjs";

await run("checkpoint.ts");
