/** `npm run attack`: prepares the machine, then hands over to `attack.ts`. */
import { run } from "./bootstrap.mjs";

await run("attack.ts");
