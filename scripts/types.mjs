/** `npm run types`: prepares the machine, then hands over to `types.ts`. */
import { run } from "./bootstrap.mjs";

await run("types.ts");
