/**
 * A chain of the private network whose blocks mainly run scripts: calls of dApps that read and write, and that compute.
 */

import { concatBytes } from "../../../src/crypto/bytes.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import { encodeBlockRecord } from "../../../src/protocol/blocks/block-file.ts";
import { encodeBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { encodeSnapshotRecord } from "../../../src/protocol/snapshots/snapshot-record.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { compileRide } from "../../chain-generator/ride/compile-ride.ts";
import { SimulatedNode } from "../../simulation/simulated-node.ts";
import { forgeBlock } from "./crowded-state.ts";
import { type NativeAccount, nativeAccount } from "./native-signer.ts";
import { benchContracts, benchFunction, benchKeys } from "./ride-contracts.ts";
import { richAccount, signedTransaction, type Unsigned } from "./signed-transaction.ts";

const { chainId, genesis } = privateNetwork.blockchain;
const waves = 100_000_000n;
const callFee = 500_000n;
const dataFee = 1_000_000n;

export interface ScriptedChain {
  /** Blocks from height 2 on. */
  readonly blockFile: Uint8Array;
  /** State snapshots of its transactions. */
  readonly snapshotFile: Uint8Array;
  readonly blocks: number;
  readonly calls: number;
}

/** @param shape number of blocks after the first, which sets the scripts, and calls in each */
export function makeScriptedChain(shape: { readonly blocks: number; readonly calls: number }): ScriptedChain {
  const node = new SimulatedNode({ startMs: Number(genesis.blockTimestampMs) });
  // Without the first contract: calling an empty callable hardly runs a script.
  const dApps = benchContracts.slice(1).map(({ source }, index) => ({
    account: nativeAccount(`dapp ${index}`, chainId),
    script: compileRide(source),
  }));
  let timestampMs = node.nowMs;
  const signed = (sender: NativeAccount, given: Unsigned): Transaction =>
    signedTransaction(sender, given, timestampMs++);
  forgeBlock(node, [
    ...dApps.map(({ account: { address } }) =>
      signed(richAccount, {
        type: TransactionType.Transfer,
        version: 3,
        recipient: { kind: "address", address },
        asset: null,
        amount: waves,
        attachment: new Uint8Array(),
        fee: callFee,
      }),
    ),
    ...dApps.flatMap(({ account, script }) => [
      signed(account, {
        type: TransactionType.Data,
        version: 2,
        data: benchKeys.map((key, index) => ({ key, value: { type: "integer", value: BigInt(index) } })),
        fee: dataFee,
      }),
      signed(account, { type: TransactionType.SetScript, version: 2, script, fee: dataFee }),
    ]),
  ]);
  const call = (index: number): Transaction => {
    const { address } = (dApps[index % dApps.length] as (typeof dApps)[number]).account;
    return signed(richAccount, {
      type: TransactionType.InvokeScript,
      version: 2,
      dApp: { kind: "address", address },
      call: { function: benchFunction, args: [] },
      payments: [],
      fee: callFee,
    });
  };
  for (let block = 0; block < shape.blocks; block++) {
    timestampMs = node.nowMs;
    forgeBlock(
      node,
      Array.from({ length: shape.calls }, (_, index) => call(index)),
    );
  }
  const { stored, view } = node.chain;
  const heights = Array.from({ length: view.height - 1 }, (_, index) => index + 2);
  const blocks = heights.map((height) => stored.findBlock(height)).filter((block) => block !== undefined);
  const snapshots = heights.map((height) => stored.findStateSnapshots(height, 0, Number.MAX_SAFE_INTEGER) ?? []);
  return {
    blockFile: concatBytes(...blocks.map((block) => encodeBlockRecord(encodeBlock(block, chainId)))),
    snapshotFile: concatBytes(...snapshots.map((sent) => encodeBlockRecord(encodeSnapshotRecord(sent)))),
    blocks: blocks.length,
    calls: shape.blocks * shape.calls,
  };
}
