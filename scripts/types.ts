/** `npm run types`: writes the types of the REST interface for clients, `client/node-api.d.ts`. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { jsonText } from "../src/protocol/json.ts";
import { allRoutes } from "../src/routes/all-routes.ts";
import { describeRoutes } from "../src/routes/api-docs/api-docs.ts";
import { clientTypes } from "./types/client-types.ts";

/** The types are the same for every chain. */
const anyChainId = 82;
const file = path.join(import.meta.dirname, "..", "client", "node-api.d.ts");

mkdirSync(path.dirname(file), { recursive: true });
writeFileSync(file, clientTypes(jsonText(describeRoutes(allRoutes, anyChainId))));
process.stdout.write(`written: ${path.relative(process.cwd(), file)}\n`);
