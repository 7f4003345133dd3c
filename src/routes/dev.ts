/** The controls of a dev chain: its router has these rows, and no other chain's has. */
import * as z from "zod";
import { json, momentary } from "../http/reply.ts";
import { int32 } from "../http/schema.ts";
import { route } from "./context.ts";
import { timestamp } from "./schemas/values.ts";

const status = route({
  method: "GET",
  path: "/dev/status",
  dependsOn: "node",
  isPrivate: true,
  description: {
    tag: "dev",
    summary: "How the chain is set up",
    answer: () => z.strictObject({ height: int32(), time: timestamp() }),
  },
  handle: async ({ chainState }) => {
    const { height, timeMs } = await chainState.dev.status();
    return json({ height, time: timeMs }, momentary);
  },
});

export const devRoutes = [status];
