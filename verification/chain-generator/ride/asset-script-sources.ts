/** Sources of asset scripts. */
import type { SeededRandom } from "../seeded-random.ts";
import { directives } from "./compile-ride.ts";
import { expensiveFalsehood } from "./ride-text.ts";

/** A script that allows most transactions of its asset, and its own change. */
export function assetScriptSource(random: SeededRandom, version: number): string {
  const head = directives(version, "EXPRESSION", "ASSET");
  if (random.boolean(0.25)) return `${head}true`;
  const cases = Array.from({ length: random.between(1, 4) }, () => random.pick(conditions)(random, version));
  const chosen = [...new Map(cases.map((each) => [each.type, each.test])).entries()];
  const lines = chosen.map(([type, test]) => `case t: ${type} => ${test}`);
  const expensive = random.boolean(0.5) ? expensiveFalsehood(random, random.between(1, 8), "tx.id") : "false";
  const others = `case _ => !(${expensive})`;
  return `${head}match tx {\n  case _: SetAssetScriptTransaction => true\n${[...lines, others].map((line) => `  ${line}`).join("\n")}\n}`;
}

interface Condition {
  readonly type: string;
  readonly test: string;
}

/** Expression for the issuer's key in this version. */
function issuerKey(version: number): string {
  return version < 4 ? "tx.senderPublicKey" : "this.issuerPublicKey";
}

const conditions: readonly ((random: SeededRandom, version: number) => Condition)[] = [
  (random) => ({ type: "TransferTransaction", test: `t.amount % ${random.between(3, 8)} != 0` }),
  (random) => ({
    type: "TransferTransaction",
    test: `if (t.amount % ${random.between(3, 8)} == 1) then throw("asset refuses: " + toString(t.amount)) else !(${expensiveFalsehood(random, random.between(0, 6), "t.id")})`,
  }),
  (random, version) => ({
    type: "TransferTransaction",
    test:
      version < 4
        ? `assetBalance(t.sender, t.assetId) > ${random.between(1, 900)}`
        : `assetBalance(t.sender, this.id) > ${random.between(1, 900)} && this.quantity > 0`,
  }),
  (random) => ({ type: "MassTransferTransaction", test: `t.transferCount % ${random.between(2, 5)} != 0` }),
  (random) => ({ type: "BurnTransaction", test: `t.quantity % ${random.between(2, 5)} != 0` }),
  (random, version) => ({
    type: "ReissueTransaction",
    test: `t.quantity % ${random.between(2, 5)} != 0 && t.senderPublicKey == ${issuerKey(version).replace("tx.", "t.")}`,
  }),
  (random, version) => ({
    type: "ExchangeTransaction",
    test: `!(${expensiveFalsehood(random, random.between(version < 4 ? 8 : 5, version < 4 ? 12 : 8), "t.id")}) && t.amount % ${random.between(2, 6)} != 0`,
  }),
  (random) => ({
    type: "ExchangeTransaction",
    test: `t.buyOrder.amount > 0 && t.price % ${random.between(5, 9)} != 0 && t.buyMatcherFee >= 0`,
  }),
  (random, version) => ({
    type: version < 3 ? "BurnTransaction" : "InvokeScriptTransaction",
    test:
      version < 3
        ? "height % 4 != 0"
        : version === 3
          ? `match t.payment { case p: AttachedPayment => p.amount % ${random.between(2, 6)} != 0 case _ => true }`
          : `size(t.payments) == 0 || t.payments[0].amount % ${random.between(2, 6)} != 0`,
  }),
];
