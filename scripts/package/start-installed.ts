/** The command of the installed package: a node, or a command for a running dev chain. */
import { packagedLayout } from "../../local/runtime/packaged-layout.ts";

const layout = packagedLayout();
const args = process.argv.slice(2);
// Flags start a node; any other first argument is a command.
if (args[0] === undefined || args[0].startsWith("-"))
  await (await import("../../local/start.ts")).runNode(layout, args);
else process.exitCode = await (await import("../dev.ts")).runDevCommand(layout, args);
