/** `npm start`: runs a node of this clone. */
import path from "node:path";
import { cloneLayout } from "../local/runtime/clone-layout.ts";
import { runNode } from "../local/start.ts";

await runNode(cloneLayout(path.dirname(import.meta.dirname)), process.argv.slice(2));
