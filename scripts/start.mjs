/** `npm start`: prepares the machine, then hands over to `start-clone.ts`. */
import { run } from "./bootstrap.mjs";

await run("start-clone.ts");
