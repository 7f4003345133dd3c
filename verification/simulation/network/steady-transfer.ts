/** Transfers valid on every branch, because no other transaction touches their senders. */
import { sign } from "../../../src/crypto/curve25519.ts";
import { buildTransaction } from "../../../src/protocol/transactions/build-transaction.ts";
import { feeUnitWavelets } from "../../../src/protocol/transactions/fee-units.ts";
import type { TransferTransaction } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import type { SeededRandom } from "../../chain-generator/seeded-random.ts";
import type { NetworkWorld } from "./network-world.ts";

const placeholder = new Uint8Array(64);
const MOST_WAVELETS = 1_000_000;

/** @param index of the node whose payer sends it */
export function steadyTransfer(
  world: NetworkWorld,
  index: number,
  nowMs: number,
  random: SeededRandom,
): TransferTransaction {
  const payer = world.payers[index];
  if (payer === undefined) throw new Error("each generator has a payer");
  const fields = {
    type: TransactionType.Transfer,
    version: 2,
    chainId: world.blockchain.chainId,
    timestamp: BigInt(nowMs),
    sender: payer.publicKey,
    recipient: { kind: "address", address: random.pick(world.accounts.users).address },
    asset: null,
    amount: BigInt(random.between(1, MOST_WAVELETS)),
    feeAsset: null,
    fee: feeUnitWavelets,
    attachment: new Uint8Array(),
    proofs: [placeholder],
  } as const;
  const unsigned = buildTransaction(fields);
  return buildTransaction({
    ...fields,
    proofs: [sign(payer.privateKey, unsigned.bodyBytes, random.bytes(64))],
  });
}
