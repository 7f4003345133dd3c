/** `npm run dev -- COMMAND`: prepares the machine, then hands over to `dev-clone.ts`. */
import { run } from "./bootstrap.mjs";

await run("dev-clone.ts");
