/** Publisher without a node. */

import { Publisher, type PublisherFacts } from "../../../durable/chain-state/publish/publisher.ts";
import type { PublishedState } from "../../../durable/chain-state/state/published-state.ts";

let drawn = 0;

/** By default its chain is at height 1, and it refuses no read model. */
export function testPublisher({
  state = {},
  ...options
}: Pick<PublisherFacts, "store" | "readModel"> &
  Partial<Omit<PublisherFacts, "state">> & {
    readonly state?: Partial<PublishedState> | (() => Partial<PublishedState>);
  }): Publisher {
  drawn += 1;
  return new Publisher({
    genesis: "genesis",
    chainId: 82,
    historyFrom: 1,
    drawn: `test${drawn}`,
    nowMs: () => 0,
    onRefused: (refusal) => {
      throw refusal;
    },
    onCopy: () => {},
    ...options,
    state: () => ({
      ...{ version: "tip", epoch: 0, height: 1, transactions: 0, finalizedHeight: 1 },
      ...(typeof state === "function" ? state() : state),
    }),
  });
}
