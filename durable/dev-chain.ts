/** What the owner of a dev chain may do with it. No other chain has such an object. */
import { addressText } from "../src/crypto/address.ts";
import type { Address } from "../src/crypto/identities.ts";
import type { RandomSource } from "../src/crypto/random.ts";
import type { DevRpc, DevStatus } from "../src/env.ts";
import { EditCalls } from "./dev/edit-calls.ts";
import { Funding } from "./dev/funding.ts";
import type { Impersonation } from "./dev/impersonation.ts";
import { log } from "./log.ts";
import type { Node } from "./node.ts";

export interface DevChainFacts {
  readonly node: Node;
  readonly nowMs: () => number;
  readonly random: RandomSource;
  readonly impersonation: Impersonation;
}

export class DevChain implements DevRpc {
  readonly #facts: DevChainFacts;
  readonly #edits: EditCalls;
  readonly #funding: Funding;

  constructor(facts: DevChainFacts) {
    this.#facts = facts;
    this.#edits = new EditCalls({ ...facts, makeBlock: () => this.#makeBlock() });
    this.#funding = new Funding({ ...facts, mine: async () => this.#makeBlock() });
  }

  async status(): Promise<DevStatus> {
    const { node, nowMs, impersonation } = this.#facts;
    return { height: node.chain.view.height, timeMs: nowMs(), impersonated: impersonation.accounts() };
  }

  async impersonate(address: Uint8Array, isImpersonated: boolean): Promise<void> {
    const account = address as Address;
    this.#facts.impersonation.set(account, isImpersonated);
    log(`the owner ${isImpersonated ? "impersonates" : "impersonates no more"} ${addressText(account)}`);
  }

  setData(...args: Parameters<DevRpc["setData"]>): ReturnType<DevRpc["setData"]> {
    return this.#edits.setData(...args);
  }

  setScript(...args: Parameters<DevRpc["setScript"]>): ReturnType<DevRpc["setScript"]> {
    return this.#edits.setScript(...args);
  }

  setBalance(...args: Parameters<DevRpc["setBalance"]>): ReturnType<DevRpc["setBalance"]> {
    return this.#edits.setBalance(...args);
  }

  fund(...args: Parameters<DevRpc["fund"]>): ReturnType<DevRpc["fund"]> {
    return this.#funding.fund(...args);
  }

  #makeBlock(): void {
    const { node, nowMs } = this.#facts;
    const turnMs = Number(node.miner.schedule().next?.timestampMs);
    node.miner.run(Math.max(nowMs(), turnMs));
  }
}
