/** What the owner of a dev chain may do with it. No other chain has such an object. */
import type { DevRpc, DevStatus } from "../src/env.ts";
import type { Node } from "./node.ts";

export interface DevChainFacts {
  readonly node: Node;
  readonly nowMs: () => number;
}

export class DevChain implements DevRpc {
  readonly #facts: DevChainFacts;

  constructor(facts: DevChainFacts) {
    this.#facts = facts;
  }

  async status(): Promise<DevStatus> {
    const { node, nowMs } = this.#facts;
    return { height: node.chain.view.height, timeMs: nowMs() };
  }
}
