/** `npm run dev -- COMMAND`: prepares the machine, then hands over to `dev.ts`. */
import { run } from "./bootstrap.mjs";

await run("dev.ts", { withDevDependencies: false });
