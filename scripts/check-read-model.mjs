/** `npm run check:read-model`: prepares the machine, then hands over to `check-read-model.ts`. */
import { run } from "./bootstrap.mjs";

await run("check-read-model.ts");
