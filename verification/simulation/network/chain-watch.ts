/** Polls a node's chain to measure the depth of rollbacks. */
import { equalBytes } from "../../../src/crypto/bytes.ts";
import type { BlockId } from "../../../src/protocol/blocks/block.ts";
import type { SimulatedMachine } from "./simulated-machine.ts";

export class ChainWatch {
  readonly machine: SimulatedMachine;
  /** Deepest rollback in blocks. */
  deepest = 0;
  /** Number of rollbacks, without those of the tip only. */
  rollbacks = 0;
  /** Ids by height. */
  #seen: (BlockId | undefined)[] = [];

  constructor(machine: SimulatedMachine) {
    this.machine = machine;
  }

  /** @returns number of blocks rolled back since the last poll, without the tip, which changes all the time */
  look(): number {
    const { view } = this.machine.chain?.node.chain ?? {};
    if (view === undefined) return 0;
    const seen = this.#seen;
    // Without the tip, because micro-blocks change its id.
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
