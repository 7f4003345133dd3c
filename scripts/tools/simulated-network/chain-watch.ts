/** Looks at a node's chain again and again: how deep it is taken back. */
import { equalBytes } from "../../../src/crypto/bytes.ts";
import type { BlockId } from "../../../src/protocol/blocks/block.ts";
import type { SimulatedMachine } from "./simulated-machine.ts";

export class ChainWatch {
  readonly machine: SimulatedMachine;
  /** How many blocks were taken back at most at once. */
  deepest = 0;
  /** How often blocks were taken back, the tip apart. */
  rollbacks = 0;
  /** Ids by height. */
  #seen: (BlockId | undefined)[] = [];

  constructor(machine: SimulatedMachine) {
    this.machine = machine;
  }

  /** @returns how many of the blocks that were seen last have left the chain; the tip, which is changed all the time, apart */
  look(): number {
    const { view } = this.machine.chain?.node.chain ?? {};
    if (view === undefined) return 0;
    const seen = this.#seen;
    // The tip is not looked at: micro-blocks give it another id.
    const top = view.height - 1;
    const before = seen.length - 1;
    let common = Math.min(top, before);
    while (
      common >= 1 &&
      !equalBytes(view.findHeader(common)?.id ?? new Uint8Array(), seen[common] ?? new Uint8Array())
    )
      common -= 1;
    const depth = Math.max(0, before - Math.max(common, 0));
    seen.length = Math.max(common, 0) + 1;
    for (let height = seen.length; height <= top; height++) seen[height] = view.findHeader(height)?.id;
    this.deepest = Math.max(this.deepest, depth);
    if (depth > 0) this.rollbacks += 1;
    return depth;
  }
}
