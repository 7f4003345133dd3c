#!/usr/bin/env node
/** The package's command. Plain JavaScript on Node's own modules, because a Node too old for the rest must parse it. */
import { whenParentEnds } from "../parent-watch.mjs";

const oldestNode = 20;

if (Number(process.versions.node.split(".")[0]) < oldestNode) {
  process.stderr.write(`Node ${process.versions.node} is too old: this needs Node ${oldestNode} or newer.\n`);
  process.exit(2);
}
whenParentEnds(() => process.kill(process.pid, "SIGTERM"));
await import("./start-installed.ts");
