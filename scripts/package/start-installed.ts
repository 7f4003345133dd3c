/** The command of the installed package: a node, or a command for a running dev chain. */
import { packagedHome } from "../../local/runtime/packaged-layout.ts";

const home = packagedHome();
const args = process.argv.slice(2);
// Flags start a node; any other first argument is a command.
if (args[0] === undefined || args[0].startsWith("-")) await (await import("../../local/start.ts")).runNode(home, args);
else process.exitCode = await (await import("../dev.ts")).runDevCommand(home, args);
