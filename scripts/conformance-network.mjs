/** `npm run conformance:network`: prepares the machine, then hands over to `conformance-network.ts`. */
import { run } from "./bootstrap.mjs";

await run("conformance-network.ts");
