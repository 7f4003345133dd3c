/**
 * The calls a runner makes to ChainState, and to PeerHub.
 */
import { z } from "zod";
import { concatBytes } from "../../src/crypto/bytes.ts";
import type { SyncProgress } from "../../src/env.ts";
import type { CheckpointCalls } from "../checkpoint/checkpoint-calls.ts";
import { checkpointReply } from "../checkpoint/checkpoint-calls.ts";
import { UsageError } from "../cli/usage-error.ts";
import type { KnockingPeer } from "./peer-listener.ts";

const statusSchema = z.object({
  height: z.number().int(),
  /** While the read model is written anew: how many of its tables are there. */
  publishing: z.string().optional(),
  /** Of a dev chain: when it gets blocks. */
  pace: z.object({ automine: z.boolean(), intervalMs: z.number().nullable() }).optional(),
});
const importSchema = z.object({
  /** Height after the call. */
  height: z.number().int(),
  /** Blocks that were added; blocks that were there already do not count. */
  applied: z.number().int(),
  /** A sentence with the height and the reason, when a block was refused. */
  fault: z.string().optional(),
});
const progressSchema = z.object({
  height: z.number().int(),
  blocksAhead: z.number().int(),
  connectedPeers: z.number().int(),
});
const wakeSchema = z.object({ wasOverdue: z.boolean() });

/** How a chain begins normal operation. */
export interface StartOptions {
  readonly mining: boolean;
  /** Of a dev chain: what is to be other than before. */
  readonly pace?: { readonly automine?: boolean; readonly intervalMs?: number | null };
  /** Of a dev chain that is new: which accounts have WAVES, and how many wavelets each, in digits. */
  readonly accounts?: { readonly addresses: readonly string[]; readonly balance: string };
}

export interface ImportOptions {
  /** The last one to add; by default all are. */
  readonly toHeight?: number | undefined;
  /** Which of the blocks' signatures need no verification any more: `encodeFlags`. */
  readonly verified?: string;
  /** Whole records of a snapshot file, one for each block: its transactions are not run. */
  readonly snapshots?: Uint8Array | undefined;
}

/** Any call may throw UsageError: the state is one that this release cannot open. */
export interface ChainOperator {
  status(): Promise<z.infer<typeof statusSchema>>;
  /** Adds the blocks of a piece of a block file. */
  importBlocks(blocks: Uint8Array, options?: ImportOptions): Promise<z.infer<typeof importSchema>>;
  finishImport(): Promise<void>;
  /** Begins normal operation. */
  start(options: StartOptions): Promise<void>;
  readonly checkpoint: CheckpointCalls;
  /** Makes sure that the node is at work. `wasOverdue`: the runtime has left work undone, and may do so again. */
  wake(): Promise<z.infer<typeof wakeSchema>>;
}

/** Of a node that has peers. */
export interface PeerOperator {
  /** PeerHub begins to connect, and to follow. */
  start(): Promise<void>;
  /** A connection that another node has made; PeerHub comes for it. */
  accept(peer: KnockingPeer): Promise<void>;
  progress(): Promise<SyncProgress>;
}

/** Sends a request to the operator's Worker. @returns the answer's status and text */
export type OperatorRequest = (
  method: "GET" | "POST",
  path: string,
  body?: Uint8Array | string,
) => Promise<{ readonly status: number; readonly text: string }>;

export function chainOperator(request: OperatorRequest): ChainOperator {
  const call = callsBy(request);
  return {
    status: async () => statusSchema.parse(await call("GET", "/operator/status")),
    importBlocks: async (blocks, { toHeight, verified = "", snapshots } = {}) => {
      const query = new URLSearchParams({ verified });
      if (toHeight !== undefined) query.set("to", String(toHeight));
      if (snapshots !== undefined) query.set("blockBytes", String(blocks.length));
      const sent = snapshots === undefined ? blocks : concatBytes(blocks, snapshots);
      return importSchema.parse(await call("POST", `/operator/import?${query}`, sent));
    },
    finishImport: async () => void (await call("POST", "/operator/finish-import")),
    start: async (options) => void (await call("POST", "/operator/start", JSON.stringify(options))),
    checkpoint: async (asked) => checkpointReply(await call("POST", "/operator/checkpoint", JSON.stringify(asked))),
    wake: async () => wakeSchema.parse(await call("POST", "/operator/wake")),
  };
}

export function peerOperator(request: OperatorRequest): PeerOperator {
  const call = callsBy(request);
  return {
    start: async () => void (await call("POST", "/operator/peers/start")),
    accept: async (peer) => void (await call("POST", "/operator/peers/accept", JSON.stringify(peer))),
    progress: async () => progressSchema.parse(await call("GET", "/operator/peers/progress")),
  };
}

function callsBy(request: OperatorRequest) {
  return async (...[method, path, body]: Parameters<OperatorRequest>): Promise<unknown> => {
    const { status, text } = await request(method, path, body);
    if (status === 409) throw new UsageError(text);
    if (status !== 200) throw new Error(`${method} ${path} was answered with ${status}: ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };
}
