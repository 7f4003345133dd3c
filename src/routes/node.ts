/** The node itself. @source docs/protocol/rest-api.md 2.9 */

import * as z from "zod";
import { constant, json } from "../http/route-response.ts";
import { int32 } from "../http/schema.ts";
import { referenceVersion } from "../network/reference-version.ts";
import { tipTimestampQuery } from "../read-model/block.ts";
import { route } from "../services/context.ts";
import { asOf } from "../services/freshness.ts";
import { instantText } from "./json/instant.ts";
import { timestamp } from "./schemas/values.ts";

const status = route({
  method: "GET",
  path: "/node/status",
  dependsOn: "tip",
  description: {
    tag: "node",
    summary: "Heights, and the time of the last block",
    response: () =>
      z.strictObject({
        blockchainHeight: int32(),
        stateHeight: int32(),
        updatedTimestamp: timestamp(),
        updatedDate: z.string().meta({ format: "date-time" }),
      }),
    examples: [{}],
  },
  handle: async ({ model }) => {
    const { chain, values } = await model.read(tipTimestampQuery);
    const updatedMs = values[0] ?? 0n;
    return json(
      {
        blockchainHeight: chain.height,
        stateHeight: chain.height,
        updatedTimestamp: updatedMs,
        updatedDate: instantText(updatedMs),
      },
      asOf(chain),
    );
  },
});

const version = route({
  method: "GET",
  path: "/node/version",
  dependsOn: "request",
  description: {
    tag: "node",
    summary: "Release of the interface",
    response: () => z.strictObject({ version: z.string() }),
    examples: [{}],
  },
  handle: () => json({ version: `Waves v${referenceVersion}` }, constant),
});

export const nodeRoutes = [status, version];
