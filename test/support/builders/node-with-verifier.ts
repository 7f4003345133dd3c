/** Nodes that accept transactions of an account with a costly verifier. */

import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { BlockchainSettings, NodeSettings } from "../../../src/network/settings.ts";
import { buildTransaction } from "../../../src/protocol/transactions/build-transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";
import { signedBy } from "./signed-by.ts";
import { poorKey, richKey, signedTransfer } from "./signed-transfer.ts";
import { costlyTree, treeScript } from "./test-scripts.ts";

const { blockchain, node: nodeSettings } = privateNetwork;
const startMs = 1_700_000_000_000;

/** Node at the beginning of a round, whose poor account can pay for its verifier. */
export function nodeWithVerifier(
  settings: { readonly blockchain?: BlockchainSettings; readonly node?: NodeSettings } = {},
): SimulatedNode {
  const node = new SimulatedNode({ blockchain, node: nodeSettings, ...settings, startMs });
  node.broadcast(signedTransfer({ timestamp: BigInt(startMs), amount: 100_000_000_000n }));
  while (node.pool.size > 0) node.step();
  const unsigned = buildTransaction({
    type: TransactionType.SetScript,
    version: 2,
    chainId: blockchain.chainId,
    sender: poorKey.publicKey,
    feeAsset: null,
    fee: 10_000_000n,
    timestamp: BigInt(node.nowMs),
    script: treeScript(costlyTree(9), 4),
    proofs: [],
  });
  node.broadcast(signedBy(poorKey, unsigned));
  while (node.pool.size > 0) node.step();
  node.mineTo(node.height + 1);
  return node;
}

/** Node with `waiting` transactions of that account in the pool, in the order of their dates. */
export function nodeWithWaitingVerifier(waiting: number): SimulatedNode {
  const node = nodeWithVerifier();
  for (let index = 0; index < waiting; index++) node.broadcast(verifiedTransfer(node, index));
  return node;
}

/** Transfer for which the verifier runs. @param number another one for each */
export function verifiedTransfer({ nowMs }: SimulatedNode, number: number) {
  return signedTransfer({ timestamp: BigInt(nowMs - 200 + number), key: poorKey, to: richKey, fee: 500_000n });
}

/** Complexity of the verifier. */
export function complexityOf({ chain }: SimulatedNode): bigint {
  const script = chain.view.findAccountScript(addressOfPublicKey(poorKey.publicKey, blockchain.chainId));
  if (script === undefined) throw new Error("the poor account has no verifier");
  return script.verifierComplexity;
}
