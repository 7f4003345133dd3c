/**
 * Calls that the runner makes to ChainState and PeerHub.
 */
import { z } from "zod";
import { concatBytes } from "../../src/crypto/bytes.ts";
import type { SyncProgress } from "../../src/env.ts";
import type { CheckpointCalls } from "../checkpoint/checkpoint-calls.ts";
import { parseCheckpointResult } from "../checkpoint/checkpoint-calls.ts";
import { UsageError } from "../cli/usage-error.ts";
import type { InboundPeer } from "./peer-listener.ts";

const statusSchema = z.object({
  height: z.number().int(),
  /** Progress while the read model is rebuilt: how many of its tables are written. */
  publishing: z.string().optional(),
  /** Mining mode of a dev chain. */
  pace: z.object({ automine: z.boolean(), intervalMs: z.number().nullable() }).optional(),
});
const importSchema = z.object({
  /** Height after the call. */
  height: z.number().int(),
  /** Number of blocks added, without those that the chain already had. */
  applied: z.number().int(),
  /** Message with the height and the reason, when a block was refused. */
  fault: z.string().optional(),
});
const progressSchema = z.object({
  height: z.number().int(),
  blocksAhead: z.number().int(),
  connectedPeers: z.number().int(),
});
const wakeSchema = z.object({ wasOverdue: z.boolean() });

/** Options with which a chain begins normal operation. */
export interface StartOptions {
  readonly mining: boolean;
  /** Changes of a dev chain's mining mode. */
  readonly pace?: { readonly automine?: boolean; readonly intervalMs?: number | null };
  /** Accounts that have WAVES on a new dev chain, and the wavelets of each in decimal digits. */
  readonly accounts?: { readonly addresses: readonly string[]; readonly balance: string };
}

export interface ImportOptions {
  /** Height of the last block to add; by default all blocks are added. */
  readonly toHeight?: number | undefined;
  /** Flags of the blocks whose signatures are verified already, encoded by `encodeFlags`. */
  readonly verified?: string;
  /** Whole records of a snapshot file, one for each block; the transactions are then not run. */
  readonly snapshots?: Uint8Array | undefined;
}

/** Calls to ChainState. Each throws UsageError when this release cannot open the stored state. */
export interface ChainOperator {
  status(): Promise<z.infer<typeof statusSchema>>;
  /** Adds the blocks of a chunk of a block file. */
  importBlocks(blocks: Uint8Array, options?: ImportOptions): Promise<z.infer<typeof importSchema>>;
  finishImport(): Promise<void>;
  /** Begins normal operation. */
  start(options: StartOptions): Promise<void>;
  readonly checkpoint: CheckpointCalls;
  /** Makes sure that the node is working. `wasOverdue`: the runtime has missed scheduled work, and may do so again. */
  wake(): Promise<z.infer<typeof wakeSchema>>;
}

/** Calls to PeerHub, for a node that has peers. */
export interface PeerOperator {
  /** Starts to connect to peers and to follow the chain. */
  start(): Promise<void>;
  /** Announces an inbound connection, which PeerHub then picks up. */
  accept(peer: InboundPeer): Promise<void>;
  progress(): Promise<SyncProgress>;
}

/** Sends a request to the operator's Worker. @returns the response's status and text */
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
    checkpoint: async (asked) =>
      parseCheckpointResult(await call("POST", "/operator/checkpoint", JSON.stringify(asked))),
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
