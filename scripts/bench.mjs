/** `npm run bench`: prepares the machine, then hands over to `bench.ts`. */
import { run } from "./bootstrap.mjs";

await run("bench.ts");
