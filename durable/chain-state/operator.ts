/**
 * Calls from the local runner to ChainState: import blocks, start mining, return the status. The public Worker cannot
 * reach these paths.
 */
import * as z from "zod";
import { decodeBase58 } from "../../src/crypto/base58.ts";
import type { Address } from "../../src/crypto/identities.ts";
import type { CheckpointCall, CheckpointResult, DevResult } from "../../src/env.ts";
import type { ImportedBlocks, ImportOptions } from "./chain/import-blocks.ts";
import type { MiningMode } from "./dev/block-controls.ts";

export interface Operator {
  /** `publishing`: progress while the read model is being rebuilt. `pace`: mining mode of a dev chain. */
  status(): {
    readonly height: number;
    readonly publishing?: string | undefined;
    readonly pace?: MiningMode | undefined;
  };
  /** `verified`: flags of the signatures that the runner has verified. */
  importBlocks(blocks: Uint8Array, options: Omit<ImportOptions, "nowMs">): Promise<ImportedBlocks>;
  /** Resolves when the read model shows all imported blocks. */
  finishImport(): Promise<void>;
  start(options: z.output<typeof startOptions>): Promise<void>;
  checkpoint(call: CheckpointCall): Promise<DevResult<CheckpointResult>>;
  /** Work of a deployment's cron. `wasOverdue`: the runtime has left work undone. */
  wake(): Promise<{ readonly wasOverdue: boolean }>;
}

const startOptions = z.object({
  mining: z.boolean(),
  /** Dev chain: changes of the mining mode. */
  pace: z
    .object({ automine: z.boolean().exactOptional(), intervalMs: z.int().positive().nullable().exactOptional() })
    .optional(),
  /** New dev chain: accounts with WAVES, and the balance of each in wavelets. */
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
  /** Size of the blocks in the body, if snapshots follow them. */
  blockBytes: z.coerce.number().int().positive().optional(),
});

/** Responds to a request of the runner. */
export async function handleOperatorRequest(operator: Operator, request: Request): Promise<Response> {
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
      // The runner is trusted, so its call is not validated.
      return Response.json(await operator.checkpoint((await request.json()) as CheckpointCall));
    case "POST /operator/wake":
      return Response.json(await operator.wake());
    default:
      return new Response("unknown call", { status: 404 });
  }
}
