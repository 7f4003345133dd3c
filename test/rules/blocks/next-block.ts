/** A chain of three blocks, and blocks that may come next: made from the rules' own answers, wrong where a test wants it. */
import type { GeneratorDraw } from "../../../durable/miner/generator-draw.ts";
import { BlockMaker, type BlockWish } from "../../../scripts/tools/chain-maker/challenged-blocks.ts";
import { SimulatedNode } from "../../../scripts/tools/simulation/simulated-node.ts";
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import type { KeyPair } from "../../../src/crypto/identities.ts";
import { secureRandomBytes } from "../../../src/crypto/random.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { BlockchainSettings } from "../../../src/network/settings.ts";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { headerAt } from "../../../src/rules/consensus/next-block.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import { richKey } from "../../durable/pool/signed-transfer.ts";

const { blockchain } = privateNetwork;

/** The private network with the features up to one, and with the balances given away at genesis. */
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

/** Makes a chain when a test first asks for it, so that what makes it is seen to be needed by that test. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** A node at height 3, so late that every account with a balance has had its turn. */
export function chainOfThree(settings = blockchain): SimulatedNode {
  const node = new SimulatedNode({ blockchain: settings, startMs: Number(settings.genesis.blockTimestampMs) });
  node.mineTo(3);
  node.nowMs = Number(headerAt(node.chain.view, 3).header.timestamp) + 100_000_000;
  return node;
}

const blocks = new BlockMaker(secureRandomBytes);

/** The earliest timestamp of a block of the account. */
export function turnOf(view: StateView, key: KeyPair): bigint {
  return blocks.turnOf(view, key);
}

export function drawOf(view: StateView, key: KeyPair): GeneratorDraw {
  return blocks.drawOf(view, key);
}

/** A signed block after the view's tip, with fields of the header in place of the right ones. */
export function blockAfter(
  view: StateView,
  { key = richKey, timestamp = turnOf(view, key), ...wish }: Partial<BlockWish> = {},
): Block {
  return blocks.unhashed(view, { key, timestamp, ...wish });
}
