/** State of the chain at a past height, as far as the validation of headers reads it. */
import type { Address } from "../../../src/crypto/identities.ts";
import type { BlockchainSettings } from "../../../src/network/settings.ts";
import { I64_MAX } from "../../../src/protocol/codec/i64.ts";
import type { AccountScript } from "../../../src/rules/state/state-view.ts";
import type { RowSource } from "../../../src/tables/view/row-source.ts";
import { TableView } from "../../../src/tables/view/table-view.ts";

export class PastView extends TableView {
  readonly #historyFrom: number;
  #height = 0;

  /** @param historyFrom lowest height with all balances */
  constructor(store: RowSource, settings: BlockchainSettings, historyFrom: number) {
    super(store, settings);
    this.#historyFrom = historyFrom;
  }

  override get height(): number {
    return this.#height;
  }

  /** @param height of the tip at that time; not below an earlier one */
  goTo(height: number): void {
    this.#height = height;
  }

  /** An unknown balance counts as large enough for any block to be in time. */
  override minimumEffectiveBalance(address: Address, from: number, to: number): bigint {
    if (from < this.#historyFrom) return I64_MAX;
    return super.minimumEffectiveBalance(address, from, to);
  }

  /** An account with a script now may have had none then. */
  override findAccountScript(_address: Address): AccountScript | undefined {
    return undefined;
  }
}
