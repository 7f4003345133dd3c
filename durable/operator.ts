/**
 * What the local runner asks of ChainState: import blocks, begin to mine, say where the chain stands. The public Worker
 * has no way to these paths.
 */
import * as z from "zod";
import { decodeBase58 } from "../src/crypto/base58.ts";
import type { Address } from "../src/crypto/identities.ts";
import type { CheckpointCall, CheckpointReply, DevAnswer } from "../src/env.ts";
import type { ImportedBlocks, ImportOptions } from "./chain/import-blocks.ts";
import type { Pace } from "./dev/block-controls.ts";

export interface Operator {
  /** `publishing`: how far the read model is that is written anew. `pace`: of a dev chain, when it gets blocks. */
  status(): {
    readonly height: number;
    readonly publishing?: string | undefined;
    readonly pace?: Pace | undefined;
  };
  /** `verified`: which of the blocks' signatures the runner has verified. */
  importBlocks(blocks: Uint8Array, options: Omit<ImportOptions, "nowMs">): Promise<ImportedBlocks>;
  /** Resolves when the read model shows all that was imported. */
  finishImport(): Promise<void>;
  start(options: z.output<typeof startOptions>): Promise<void>;
  checkpoint(call: CheckpointCall): Promise<DevAnswer<CheckpointReply>>;
  /** What the cron of a deployment does. `wasOverdue`: the runtime has left work undone. */
  wake(): Promise<{ readonly wasOverdue: boolean }>;
}

const startOptions = z.object({
  mining: z.boolean(),
  /** Of a dev chain: what is to be other than before. */
  pace: z
    .object({ automine: z.boolean().exactOptional(), intervalMs: z.int().positive().nullable().exactOptional() })
    .optional(),
  /** Of a dev chain that is new: which accounts are to have WAVES, and how many wavelets each. */
  accounts: z
    .object({ addresses: z.array(z.string()), balance: z.string().regex(/^\d{1,19}$/) })
    .transform(({ addresses, balance }) => ({
      addresses: addresses.map((address) => decodeBase58(address) as Address),
      balance: BigInt(balance),
    }))
    .optional(),
});
const importOptions = z.object({
  to: z.coerce.number().int().positive().optional(),
  verified: z.hex().default(""),
  /** How much of what is sent is blocks, where snapshots come behind them. */
  blockBytes: z.coerce.number().int().positive().optional(),
});

/** Answers a request of the runner. */
export async function answerOperator(operator: Operator, request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  switch (`${request.method} ${pathname}`) {
    case "GET /operator/status":
      return Response.json(operator.status());
    case "POST /operator/import": {
      const { to, verified, blockBytes } = importOptions.parse(Object.fromEntries(searchParams));
      const sent = new Uint8Array(await request.arrayBuffer());
      const snapshots = blockBytes === undefined ? undefined : sent.subarray(blockBytes);
      const options = { toHeight: to, verified, snapshots };
      return Response.json(await operator.importBlocks(sent.subarray(0, blockBytes), options));
    }
    case "POST /operator/finish-import":
      await operator.finishImport();
      return new Response();
    case "POST /operator/start":
      await operator.start(startOptions.parse(await request.json()));
      return new Response();
    case "POST /operator/checkpoint":
      // The runner's own words: it is typed as they are.
      return Response.json(await operator.checkpoint((await request.json()) as CheckpointCall));
    case "POST /operator/wake":
      return Response.json(await operator.wake());
    default:
      return new Response("unknown call", { status: 404 });
  }
}
