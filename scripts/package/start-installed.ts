/** The command of the installed package: a node, or a command for a dev chain that runs. */
import { packagedHome } from "../runner/packaged-home.ts";

const home = packagedHome();
const args = process.argv.slice(2);
// Flags are for the node; what begins otherwise is a command.
if (args[0] === undefined || args[0].startsWith("-")) await (await import("../start.ts")).runNode(home, args);
else process.exitCode = await (await import("../dev.ts")).runDevCommand(home, args);
