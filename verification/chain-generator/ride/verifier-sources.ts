/** Sources of account scripts that are no dApps, and of the verifiers of dApps. */
import type { SeededRandom } from "../seeded-random.ts";
import { directives } from "./compile-ride.ts";
import { expensiveFalsehood } from "./ride-text.ts";

const signed = "sigVerify(tx.bodyBytes, tx.proofs[0], tx.senderPublicKey)";

/** A verifier that mostly accepts its account's transactions, and always its own change. */
export function verifierSource(random: SeededRandom, version: number): string {
  return `${directives(version, "EXPRESSION", "ACCOUNT")}${verifierBody(random, version)}`;
}

/** A body that uses the value `tx`. */
export function verifierBody(random: SeededRandom, version: number): string {
  const kinds = random.between(0, 4);
  const cases = random.boolean(0.25)
    ? []
    : Array.from({ length: kinds }, () => random.pick(conditions)(random, version));
  const chosen = [...new Map(cases.map((each) => [each.type, each])).values()];
  if (chosen.length === 0 && random.boolean(0.6)) return signed;
  const expensive = random.boolean(0.3) ? `!(${expensiveFalsehood(random, random.between(1, 5), "tx.id")}) && ` : "";
  const lines = [
    `case t: SetScriptTransaction => sigVerify(t.bodyBytes, t.proofs[0], t.senderPublicKey)`,
    ...chosen.map(
      ({ type, test }) => `case t: ${type} => sigVerify(t.bodyBytes, t.proofs[0], t.senderPublicKey) && (${test})`,
    ),
    `case _ => ${expensive}${signed}`,
  ];
  return `match tx {\n${lines.map((line) => `  ${line}`).join("\n")}\n}`;
}

interface Condition {
  readonly type: string;
  readonly test: string;
}

const conditions: readonly ((random: SeededRandom, version: number) => Condition)[] = [
  (random) => ({
    type: "TransferTransaction",
    test: `t.amount % ${random.between(3, 9)} != 0 && size(t.attachment) <= 140`,
  }),
  (random, version) => ({
    type: "TransferTransaction",
    test:
      version < 4
        ? `wavesBalance(t.sender) > ${random.between(1, 1_000_000)} && (if (isDefined(t.assetId)) then extract(t.assetId) != t.id else true)`
        : `wavesBalance(t.sender).available > ${random.between(1, 1_000_000)} && t.assetId.valueOrElse(t.id) != base58''`,
  }),
  (random) => ({
    type: "Order",
    test: `t.amount % ${random.between(3, 7)} != 0 && t.expiration > t.timestamp && height > 1`,
  }),
  (random, version) => ({
    type: "Order",
    test: `!(${expensiveFalsehood(random, random.between(1, 4), "t.id")}) && t.matcherFee >= 0 && ${version === 1 ? "t.price > 0" : "(if (t.orderType == Buy) then t.price > 1 else t.price > 0)"}`,
  }),
  (random) => ({ type: "DataTransaction", test: `size(t.data) != ${random.between(1, 5)}` }),
  (random) => ({
    type: "MassTransferTransaction",
    test: `t.transferCount != ${random.between(1, 6)} && t.totalAmount >= 0 && size(t.transfers) == t.transferCount`,
  }),
  (random) => ({
    type: "ExchangeTransaction",
    test: `t.amount % ${random.between(4, 9)} != 0 && t.sellOrder.amount > 0 && t.buyOrder.price > 0`,
  }),
  (random) => ({ type: "IssueTransaction", test: `t.decimals != ${random.below(8)} && t.quantity > 0` }),
  (random) => ({ type: "LeaseTransaction", test: `t.amount % ${random.between(2, 5)} == 0 || height % 2 == 0` }),
  () => ({ type: "CreateAliasTransaction", test: `size(t.alias) > 5` }),
  () => ({ type: "BurnTransaction", test: `t.quantity > 3 && isDefined(transactionHeightById(t.assetId))` }),
  (_random, version) =>
    version < 3
      ? { type: "SponsorFeeTransaction", test: "t.fee > 0" }
      : {
          type: "InvokeScriptTransaction",
          test:
            version === 3
              ? `t.fee > 500000 && size(t.args) < 3 && (match t.payment { case p: AttachedPayment => p.amount > 5 case _ => true })`
              : `t.fee > 500000 && size(t.args) < 3 && size(t.payments) < 3`,
        },
  (random, version) =>
    version < 3
      ? { type: "ReissueTransaction", test: "t.quantity % 2 == 0" }
      : {
          type: "TransferTransaction",
          test: `match getInteger(t.sender, "k") { case n: Int => n % ${random.between(2, 9)} != 1 case _ => lastBlock.height % 5 != 0 || t.fee > 1 }`,
        },
  () => ({ type: "ReissueTransaction", test: `if (t.quantity % 5 == 0) then throw("no multiples of five") else true` }),
];
