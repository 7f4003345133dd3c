/** First blocks of mainnet: rules of 2016, genesis grants and payments. */
import { expect, test } from "vitest";
import { openChain } from "../../../durable/chain-state/chain/open-chain.ts";
import { namedNetworks } from "../../../src/network/named-networks.ts";
import { BlockFileReader } from "../../../src/protocol/blocks/block-file.ts";
import { parseBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { countMoney } from "../../../verification/simulation/conserved-money.ts";
import { testStore } from "../../support/builders/test-store.ts";
import { sharedBytes } from "../../support/fixtures/recorded-lines.ts";

const file = sharedBytes("mainnet/blocks-2-5000.bin");
const reason = file === undefined ? " (skipped: ../shared/fixtures is not there)" : "";
/** Blocks with a full count: counting every lease and asset takes longer than appending a block. */
const fullCountBlocks = 250;

test.skipIf(file === undefined)(`mainnet's first 5,000 blocks conserve WAVES${reason}`, () => {
  const { blockchain, node } = namedNetworks.mainnet;
  const { store, database } = testStore();
  const { maxRollbackDepth } = node;
  const chain = openChain({ store, settings: blockchain, transaction: database.transaction, maxRollbackDepth });
  chain.liquid.ensureGenesis(0);
  for (const { bytes } of new BlockFileReader().push(new Uint8Array(file ?? []))) {
    const block = parseBlock(bytes, blockchain.chainId);
    chain.forks.appendBlock(block, { nowMs: Number(block.header.timestamp), verifySignatures: true });
    const { height, wavesAmount } = chain.stored.tip();
    const sum = BigInt(store.scalar("SELECT CAST(SUM(balance) AS TEXT) FROM account") as string);
    if (sum !== wavesAmount) expect({ height, sum }).toEqual({ height, sum: wavesAmount });
    if (height % fullCountBlocks === 0) {
      const { found, expected } = countMoney(chain, database);
      expect({ height, lines: found }).toEqual({ height, lines: expected });
    }
  }
  expect(chain.view.height).toBe(5_000);
});
