/** `npm run simulate`: prepares the machine, then hands over to `simulate.ts`. */
import { run } from "./bootstrap.mjs";

await run("simulate.ts");
