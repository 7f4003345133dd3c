/** Any bytes from a peer: the result is a verdict, and a refusal changes nothing. */
import { expect, test } from "vitest";
import { privateNetwork } from "../../../../src/network/networks/private.ts";
import { encodeBlock } from "../../../../src/protocol/blocks/parse-block.ts";
import { encodeMicroBlock } from "../../../../src/protocol/messages/micro-block.ts";
import { stateTables } from "../../../../src/tables/all-tables.ts";
import { SeededRandom } from "../../../../verification/chain-generator/seeded-random.ts";
import { follower, receivedBlocks } from "../../../support/builders/follower.ts";
import { blockAt, extend, nodeNamed, transfers } from "../../../support/builders/forked-nodes.ts";

const { chainId } = privateNetwork.blockchain;
const tables = [...stateTables.map(({ name }) => name), "undo", "branch_block", "pool"];
const RUNS = 400;

/** Bytes with some replaced, left out or inserted, or with another length. */
function damaged(bytes: Uint8Array, random: SeededRandom): Uint8Array {
  const copy = [...bytes];
  for (let count = random.between(1, 3); count > 0; count--) {
    const at = random.below(copy.length + 1);
    const how = random.below(5);
    if (how === 0) copy.splice(at, random.between(1, 40));
    else if (how === 1) copy.splice(at, 0, ...random.bytes(random.between(1, 40)));
    else if (how === 2) copy.length = at;
    else if (at < copy.length) copy[at] = how === 3 ? random.below(256) : (copy[at] as number) ^ (1 << random.below(8));
  }
  return Uint8Array.from(copy);
}

test("blocks, micro-blocks and extensions that are damaged anywhere", async () => {
  const random = new SeededRandom("damage");
  const other = nodeNamed("other");
  other.mineTo(3);
  const microBlocks = extend(other, transfers.slice(0, 2));
  other.mineTo(5);
  const bytesAt = (height: number) => encodeBlock(blockAt(other, height), chainId);
  const { node, calls } = follower({ startMs: other.nowMs });
  node.append(blockAt(other, 2));
  node.append(other.keyBlocks[1] as NonNullable<(typeof other.keyBlocks)[1]>);
  let before = node.database.dump(tables);
  const kinds = new Map<string, number>();
  for (let run = 0; run < RUNS; run++) {
    const attempts = [
      () => calls.applyBlock(receivedBlocks([damaged(bytesAt(random.between(2, 5)), random)])),
      () =>
        calls.applyBlock({
          ...receivedBlocks([bytesAt(3)]),
          blocks: damaged(receivedBlocks([bytesAt(3)]).blocks, random),
        }),
      () => calls.applyMicroBlock(damaged(encodeMicroBlock(random.pick(microBlocks)), random)),
      () => {
        const blocks = [2, 3, 4, 5].map(bytesAt).map((bytes) => (random.boolean(0.4) ? damaged(bytes, random) : bytes));
        return calls.applyExtension({ ...receivedBlocks(blocks), name: String(run), isLast: random.boolean(0.9) });
      },
      () => calls.applyMicroBlock(random.bytes(random.below(300))),
      () => calls.applyBlock({ blocks: random.bytes(random.below(300)), verified: "" }),
    ];
    const result = await random.pick(attempts)();
    const kind = typeof result === "string" ? result : result.kind;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    if (kind === "applied") {
      // The damage had no meaning.
      node.node.rollBack(2, { dropsTransactions: true });
      node.node.store.rows("DELETE FROM branch_block");
      node.append(other.keyBlocks[1] as NonNullable<(typeof other.keyBlocks)[1]>);
      before = node.database.dump(tables);
    } else expect(node.database.dump(tables)).toBe(before);
  }
  expect(kinds.get("refused")).toBeGreaterThan(RUNS / 2);
  const blocks = [2, 3, 4, 5].map(bytesAt);
  await calls.applyExtension({ ...receivedBlocks(blocks), name: "whole", isLast: true });
  expect(node.chain.stored.tip()).toEqual(other.chain.stored.tip());
});
