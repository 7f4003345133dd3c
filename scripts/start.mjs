/** `npm start`: prepares the machine, then hands over to `start.ts`. */
import { run } from "./bootstrap.mjs";

await run("start.ts", { withDevDependencies: false });
