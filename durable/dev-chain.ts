/** What the owner of a dev chain may do with it. No other chain has such an object. */
import type {
  DevRpc,
  DevStatus,
  DumpAnswer,
  DumpPlace,
  LoadAnswer,
  LoadPart,
  SnapshotAnswer,
  StatePutBack,
} from "../src/env.ts";
import { genesisText } from "../src/tables/chain.ts";
import { DevState } from "./dev/dev-state.ts";
import type { Node } from "./node.ts";

export interface DevChainFacts {
  readonly node: Node;
  readonly nowMs: () => number;
}

export class DevChain implements DevRpc {
  readonly #facts: DevChainFacts;
  readonly #state: DevState;

  constructor(facts: DevChainFacts) {
    this.#facts = facts;
    const { node } = facts;
    this.#state = new DevState({
      store: node.store,
      genesis: genesisText(node.chain.view.settings),
      height: () => node.chain.view.height,
      exchangeState: (rewrite) => node.exchangeState(rewrite),
    });
  }

  /** What the chain has been given before it serves is part of its start: a reset goes back to it. */
  begin(): void {
    this.#state.begin();
  }

  async status(): Promise<DevStatus> {
    const { node, nowMs } = this.#facts;
    const snapshots = this.#state.snapshots().map(({ name, height }) => ({ name, height }));
    return { height: node.chain.view.height, timeMs: nowMs(), snapshots };
  }

  async snapshot(name: string | undefined): Promise<SnapshotAnswer> {
    return this.#state.snapshot(name);
  }

  async revert(name: string): Promise<StatePutBack> {
    const reason = await this.#state.revert(name);
    return reason === undefined ? this.#shown() : { kind: "refused", reason };
  }

  async reset(): Promise<StatePutBack> {
    await this.#state.reset();
    return this.#shown();
  }

  async dump(place: DumpPlace | undefined): Promise<DumpAnswer> {
    return this.#state.dump(place);
  }

  async load(part: LoadPart): Promise<LoadAnswer> {
    const answer = await this.#state.load(part);
    if (answer.kind === "done") await this.#facts.node.drain();
    return answer;
  }

  /** Where the read model does not answer, whoever asked is told no height that readers do not see. */
  async #shown(): Promise<StatePutBack> {
    const { node, nowMs } = this.#facts;
    await node.drain();
    return { kind: "done", height: node.chain.view.height, timeMs: nowMs() };
  }
}
