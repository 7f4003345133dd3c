/** The chain's state as far as headers are judged by it, at a height that it has passed. */
import type { Address } from "../../src/crypto/identities.ts";
import type { BlockchainSettings } from "../../src/network/settings.ts";
import { I64_MAX } from "../../src/protocol/codec/i64.ts";
import type { AccountScript } from "../../src/rules/state/state-view.ts";
import type { RowSource } from "../../src/tables/view/row-source.ts";
import { TableView } from "../../src/tables/view/table-view.ts";

export class PastView extends TableView {
  readonly #historyFrom: number;
  #height = 0;

  /** @param historyFrom lowest height of which all balances are known */
  constructor(store: RowSource, settings: BlockchainSettings, historyFrom: number) {
    super(store, settings);
    this.#historyFrom = historyFrom;
  }

  override get height(): number {
    return this.#height;
  }

  /** @param height of the tip as it was; not below an earlier one */
  goTo(height: number): void {
    this.#height = height;
  }

  /** Where it is not known any more, as much as lets any block be in time. */
  override minimumEffectiveBalance(address: Address, from: number, to: number): bigint {
    if (from < this.#historyFrom) return I64_MAX;
    return super.minimumEffectiveBalance(address, from, to);
  }

  /** Whoever has a script now may have had none then. */
  override findAccountScript(_address: Address): AccountScript | undefined {
    return undefined;
  }
}
