/** A node of the installed package. */
import { packagedHome } from "../runner/packaged-home.ts";
import { runNode } from "../start.ts";

await runNode(packagedHome(), process.argv.slice(2));
