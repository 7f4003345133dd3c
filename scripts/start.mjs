/** `npm start`: prepares the machine, then runs `scripts/start-clone.ts`. */
import { run } from "./bootstrap.mjs";

await run("scripts/start-clone.ts");
