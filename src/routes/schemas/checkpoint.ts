/** Checkpoint requests and results: `CheckpointCall` and `CheckpointReply` as JSON. */
import * as z from "zod";
import { checkpointPasts } from "../../env.ts";
import { int32 } from "../../http/schema.ts";

const calls = ["beginExport", "exportPart", "endExport", "standing", "begin", "add", "goOn", "giveUp"] as const;

const digest = () => z.string().meta({ description: "SHA-256, hex." });

const place = () =>
  z.object({
    table: int32().min(0n).meta({ description: "Number of a table." }),
    after: z.string().optional().meta({ description: "Key of the last row before, as the node said it." }),
  });

export const checkpointCall = () =>
  z.object({
    call: z.enum(calls),
    past: z.enum(checkpointPasts).optional().meta({
      description:
        "Of `beginExport`: which blocks it is to have below those that the rules look back to; `all`, where nothing is said.",
    }),
    place: place().optional().meta({ description: "Of `exportPart`: where the part begins; the node says so." }),
    manifest: z.string().optional().meta({ description: "Of `begin`: the manifest, or a piece of it." }),
    number: int32().min(0n).optional().meta({ description: "Of `add`: number of the part, from 0 on." }),
    packed: z.string().optional().meta({ description: "Of `add`: the part, or a piece of it, in base64." }),
    isLast: z.boolean().optional().meta({ description: "Of `begin` and `add`: no piece follows." }),
  });

export const checkpointReply = () =>
  z.strictObject({
    head: z.string().optional().meta({ description: "JSON of what a manifest begins with." }),
    tables: z
      .array(z.strictObject({ name: z.string(), columns: z.array(z.string()) }))
      .optional()
      .meta({ description: "Which rows there are, by columns." }),
    part: z
      .strictObject({
        table: z.string(),
        rows: int32(),
        bytes: int32().meta({ description: "Of the rows' text." }),
        digest: digest(),
        packed: z.string().meta({ description: "The text, compressed by deflate, in base64." }),
      })
      .optional(),
    next: place().optional().meta({ description: "Where the next part begins; none: this was the last one." }),
    height: int32().optional().meta({ description: "Of the chain; 0 as long as there is none." }),
    begunFrom: digest().optional().meta({ description: "Digest of the checkpoint with which the chain began." }),
    loading: z
      .strictObject({ digest: digest(), parts: int32(), missing: z.array(int32()) })
      .optional()
      .meta({ description: "A checkpoint that is read in, and the numbers of the parts that are not there." }),
    progress: z.string().optional().meta({ description: "How far the verification is; none: it is over." }),
  });
