/** Chain of three blocks, and blocks that may come next: made by the rules themselves, wrong where a test wants it. */
import type { GeneratorDraw } from "../../../durable/chain-state/miner/generator-draw.ts";
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import type { KeyPair } from "../../../src/crypto/identities.ts";
import { secureRandomBytes } from "../../../src/crypto/random.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { BlockchainSettings } from "../../../src/network/settings.ts";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { headerAt } from "../../../src/rules/consensus/next-block.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import { BlockForger, type BlockOptions } from "../../../verification/chain-generator/block-forger.ts";
import { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";
import { richKey } from "./signed-transfer.ts";

const { blockchain } = privateNetwork;

/** Private network with the features up to one, and with these balances at genesis. */
export function networkOf(
  lastFeature: number,
  balances: readonly { readonly key: KeyPair; readonly amount: bigint }[] = [],
): BlockchainSettings {
  const { genesis, functionality, chainId } = blockchain;
  const given = balances.reduce((sum, { amount }) => sum + amount, 0n);
  const preActivatedFeatures = new Map(
    [...functionality.preActivatedFeatures].filter(([feature]) => feature <= lastFeature),
  );
  const grants = [...balances, { key: richKey, amount: genesis.initialBalance - given }];
  const transactions = grants.map(({ key, amount }) => ({
    recipient: addressOfPublicKey(key.publicKey, chainId),
    amount,
  }));
  return {
    ...blockchain,
    functionality: { ...functionality, preActivatedFeatures },
    genesis: balances.length === 0 ? genesis : { ...genesis, signature: undefined, transactions },
  };
}

/** Lazy value: made on first use, so that an error in `make` belongs to the test that needs it. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Node at height 3, late enough for every account with a balance to be allowed to forge. */
export function chainOfThree(settings = blockchain): SimulatedNode {
  const node = new SimulatedNode({ blockchain: settings, startMs: Number(settings.genesis.blockTimestampMs) });
  node.mineTo(3);
  node.nowMs = Number(headerAt(node.chain.view, 3).header.timestamp) + 100_000_000;
  return node;
}

const blocks = new BlockForger(secureRandomBytes);

/** Earliest timestamp of a block of the account. */
export function earliestTimestamp(view: StateView, key: KeyPair): bigint {
  return blocks.earliestTimestamp(view, key);
}

export function drawOf(view: StateView, key: KeyPair): GeneratorDraw {
  return blocks.drawOf(view, key);
}

/** Signed block after the view's tip, with some fields of the header replaced. */
export function blockAfter(
  view: StateView,
  { key = richKey, timestamp = earliestTimestamp(view, key), ...wish }: Partial<BlockOptions> = {},
): Block {
  return blocks.unhashed(view, { key, timestamp, ...wish });
}
