/** World of senders who make mistakes: their signatures are valid, but a field is wrong or only unusual. */

import type { AssetId } from "../../src/protocol/transactions/asset.ts";
import type { Transaction } from "../../src/protocol/transactions/transaction.ts";
import { type AuthorizedFields, ChainWorld } from "../chain-generator/chain-world.ts";
import type { GeneratedAccount } from "../chain-generator/generated-accounts.ts";

const dayMs = 86_400_000;
const largestAmount = 9_223_372_036_854_775_807n;
/** Members that hold an amount, in any transaction type. */
const amounts: readonly string[] = ["amount", "quantity", "price", "buyMatcherFee", "sellMatcherFee"];

export class DistortedWorld extends ChainWorld {
  /** Puts one mistake into three of four transactions. */
  protected override sign(signer: GeneratedAccount, fields: AuthorizedFields): Transaction {
    if (this.random.boolean(0.25)) return super.sign(signer, fields);
    const other = this.anybody();
    switch (this.random.below(9)) {
      case 0:
        return super.sign(signer, { ...fields, fee: this.#wrongFee(fields.fee) });
      case 1:
        return super.sign(signer, { ...fields, feeAsset: this.#someAsset() });
      case 2:
        return super.sign(signer, {
          ...fields,
          timestamp: fields.timestamp + BigInt(this.random.between(1, 3) * dayMs),
        });
      case 3:
        return super.sign(other, fields);
      case 4:
        return super.sign(other, { ...fields, sender: other.publicKey });
      case 5:
        return super.sign(signer, { ...fields, version: this.random.between(0, 4) });
      case 6:
        return super.sign(signer, { ...fields, proofs: [] });
      case 7:
        return super.sign(signer, this.#withOtherAsset(fields));
      default:
        return super.sign(signer, this.#withOtherAmounts(fields));
    }
  }

  #wrongFee(fee: bigint): bigint {
    return this.random.pick([1n, fee - 1n, fee / 2n, largestAmount]);
  }

  #someAsset(): AssetId {
    return this.random.boolean(0.3)
      ? (this.random.bytes(32) as AssetId)
      : (this.findAsset() ?? (new Uint8Array(32) as AssetId));
  }

  #withOtherAsset(fields: AuthorizedFields): AuthorizedFields {
    return "asset" in fields ? { ...fields, asset: this.#someAsset() } : { ...fields, fee: 1n };
  }

  #withOtherAmounts(fields: AuthorizedFields): AuthorizedFields {
    const changed: Record<string, bigint> = {};
    for (const [name, value] of Object.entries(fields))
      if (amounts.includes(name) && typeof value === "bigint")
        changed[name] = this.random.pick([largestAmount, value * 1_000n, value + 1n, 10n ** 17n, 1n]);
    return { ...fields, ...changed };
  }
}
