/**
 * What the local runner asks of ChainState: import blocks, begin to mine, say where the chain stands. The public Worker
 * has no way to these paths.
 */
import * as z from "zod";
import type { ImportedBlocks } from "./chain/import-blocks.ts";

export interface Operator {
  status(): { readonly height: number };
  /** @param verified which of the blocks' signatures the runner has verified: `encodeFlags` */
  importBlocks(blocks: Uint8Array, toHeight: number | undefined, verified: string): Promise<ImportedBlocks>;
  /** Resolves when the read model shows all that was imported. */
  finishImport(): Promise<void>;
  start(options: z.output<typeof startOptions>): Promise<void>;
  /** What the cron of a deployment does. `wasOverdue`: the runtime has left work undone. */
  wake(): Promise<{ readonly wasOverdue: boolean }>;
}

const startOptions = z.object({
  mining: z.boolean(),
  /** Of a dev chain: what is to be other than before. */
  pace: z
    .object({ automine: z.boolean().exactOptional(), intervalMs: z.int().positive().nullable().exactOptional() })
    .optional(),
});
const importOptions = z.object({
  to: z.coerce.number().int().positive().optional(),
  verified: z.hex().default(""),
});

/** Answers a request of the runner. */
export async function answerOperator(operator: Operator, request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  switch (`${request.method} ${pathname}`) {
    case "GET /operator/status":
      return Response.json(operator.status());
    case "POST /operator/import": {
      const { to, verified } = importOptions.parse(Object.fromEntries(searchParams));
      const blocks = new Uint8Array(await request.arrayBuffer());
      return Response.json(await operator.importBlocks(blocks, to, verified));
    }
    case "POST /operator/finish-import":
      await operator.finishImport();
      return new Response();
    case "POST /operator/start":
      await operator.start(startOptions.parse(await request.json()));
      return new Response();
    case "POST /operator/wake":
      return Response.json(await operator.wake());
    default:
      return new Response("unknown call", { status: 404 });
  }
}
