/** `npm run page`: prepares the machine, then hands over to `page.ts`. */
import { run } from "./bootstrap.mjs";

await run("page.ts");
