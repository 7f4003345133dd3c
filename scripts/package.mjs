/** `npm run prepack`: prepares the machine, then hands over to `package.ts`. */
import { run } from "./bootstrap.mjs";

await run("package.ts");
