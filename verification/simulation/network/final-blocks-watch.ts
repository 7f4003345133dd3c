/** Polls the finalized blocks of a network's nodes: no two nodes may differ, and no height may fall. */
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { equalBytes } from "../../../src/crypto/bytes.ts";
import type { BlockId } from "../../../src/protocol/blocks/block.ts";
import { headerAt } from "../../../src/rules/consensus/next-block.ts";
import type { SimulatedMachine } from "./simulated-machine.ts";

export class FinalBlocksWatch {
  /** Ids by height, from the first node that finalized the block. */
  readonly #final: BlockId[] = [];
  readonly #heights = new Map<SimulatedMachine, number>();

  /** @returns a line for each violation */
  look(machine: SimulatedMachine): readonly string[] {
    const { view, stored } = machine.chain?.node.chain ?? {};
    if (view === undefined || stored === undefined || view.height === 0) return [];
    const { name } = machine;
    const height = stored.finalizedHeight();
    const before = this.#heights.get(machine) ?? 0;
    this.#heights.set(machine, Math.max(height, before));
    if (height < before) return [`${name} had height ${before} final, and now ${height}`];
    // Includes the last one seen before, which must still be there.
    for (let at = Math.max(1, before); at <= height; at++) {
      const { id } = headerAt(view, at);
      const known = this.#final[at];
      this.#final[at] ??= id;
      if (known !== undefined && !equalBytes(known, id))
        return [`${name} has ${encodeBase58(id)} final at height ${at}, where ${encodeBase58(known)} was final before`];
    }
    return [];
  }
}
