/** `npm run secrets`: prepares the machine, then hands over to `secrets.ts`. */
import { run } from "./bootstrap.mjs";

await run("secrets.ts");
