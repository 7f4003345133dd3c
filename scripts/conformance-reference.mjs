/** `npm run conformance:reference`: prepares the machine, then hands over to `conformance-reference.ts`. */
import { run } from "./bootstrap.mjs";

await run("conformance-reference.ts");
