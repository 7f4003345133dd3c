/** `npm start`: runs a node of this clone. */
import path from "node:path";
import { cloneHome } from "./runner/clone-home.ts";
import { runNode } from "./start.ts";

await runNode(cloneHome(path.dirname(import.meta.dirname)), process.argv.slice(2));
