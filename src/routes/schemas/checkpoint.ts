/** Checkpoint requests and results: `CheckpointCall` and `CheckpointResult` as JSON. */
import * as z from "zod";
import { checkpointPasts } from "../../env.ts";
import { int32 } from "../../http/schema.ts";

const calls = ["beginExport", "exportPart", "endExport", "standing", "begin", "add", "goOn", "giveUp"] as const;

const digest = () => z.string().meta({ description: "SHA-256, hex." });

const position = () =>
  z.object({
    table: int32().min(0n).meta({ description: "Number of a table." }),
    after: z.string().optional().meta({ description: "Key of the last row before, as returned by the node." }),
  });

export const checkpointCall = () =>
  z.object({
    call: z.enum(calls),
    past: z.enum(checkpointPasts).optional().meta({
      description: "For `beginExport`: blocks besides those that the rules need; default: `all`.",
    }),
    place: position().optional().meta({ description: "For `exportPart`: start of the part, as returned by the node." }),
    manifest: z.string().optional().meta({ description: "For `begin`: the manifest, or a piece of it." }),
    number: int32().min(0n).optional().meta({ description: "For `add`: number of the part, from 0 on." }),
    packed: z.string().optional().meta({ description: "For `add`: the part, or a piece of it, in base64." }),
    isLast: z.boolean().optional().meta({ description: "For `begin` and `add`: whether no piece follows." }),
  });

export const checkpointResult = () =>
  z.strictObject({
    head: z.string().optional().meta({ description: "JSON of the first members of the manifest." }),
    tables: z
      .array(z.strictObject({ name: z.string(), columns: z.array(z.string()) }))
      .optional()
      .meta({ description: "Tables with their columns." }),
    part: z
      .strictObject({
        table: z.string(),
        rows: int32(),
        bytes: int32().meta({ description: "Size of the rows' text." }),
        digest: digest(),
        packed: z.string().meta({ description: "The text, compressed by deflate, in base64." }),
      })
      .optional(),
    next: position().optional().meta({ description: "Start of the next part; absent: this was the last one." }),
    height: int32().optional().meta({ description: "Height of the chain; 0 as long as there is none." }),
    begunFrom: digest().optional().meta({ description: "Digest of the checkpoint from which the chain began." }),
    loading: z
      .strictObject({ digest: digest(), parts: int32(), missing: z.array(int32()) })
      .optional()
      .meta({ description: "Checkpoint that is being loaded, and the numbers of missing parts." }),
    progress: z.string().optional().meta({ description: "Progress of the verification; absent: it is over." }),
  });
