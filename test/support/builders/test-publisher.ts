/** Publisher without a node. */

import { Publisher, type PublisherOptions } from "../../../durable/chain-state/publish/publisher.ts";
import type { PublishedState } from "../../../durable/chain-state/state/published-state.ts";

let drawn = 0;

/** By default its chain is at height 1, and it refuses no read model. */
export function testPublisher({
  state = {},
  ...options
}: Pick<PublisherOptions, "store" | "readModel"> &
  Partial<Omit<PublisherOptions, "state">> & {
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
