/** `npm run mutate`: prepares the machine, then hands over to `mutate.ts`. */
import { run } from "./bootstrap.mjs";

await run("mutate.ts");
