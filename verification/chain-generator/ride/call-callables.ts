/** Callables that call other dApps, and callables that fail, early or late. */
import {
  amount,
  assetBytes,
  binary,
  type Callable,
  type CallContext,
  createdAssetKey,
  integer,
  text,
} from "./callable.ts";
import { expensiveFalsehood, stringText } from "./ride-text.ts";
import { scriptResultText } from "./script-result.ts";

const puts = ["put", "pay", "default", "lookAtCall", "payBack", "issueOne", "leaseAndCancel", "absent"] as const;

/** Calls any function of any dApp that takes these arguments. */
const relay: Callable = {
  name: "relay",
  since: 5,
  parameters: "to: ByteVector, f: String, n: Int, paid: Int",
  body: ({ version, random }) => {
    const call = random.pick(["invoke", "invoke", "reentrantInvoke"]);
    const args = `(if (f == "put") then ["k", n] else if (f == "pay" || f == "issueOne" || f == "leaseAndCancel") then [n] else [])`;
    const payments = `(if (paid > 0) then [AttachedPayment(unit, paid)] else [])`;
    return `strict before = wavesBalance(this).available
strict got = ${call}(Address(to), f, ${args}, ${payments})
strict after = wavesBalance(this).available
${scriptResultText(version, {
  entries: [
    ["Integer", `"spent"`, "before - after"],
    [
      "String",
      `"got"`,
      `match got { case m: Int => "int" + toString(m) case s: String => s case b: ByteVector => toBase58String(b) case u: Unit => "unit" case _ => "other" }`,
    ],
    ["Integer", `"seen"`, `match getInteger(Address(to), "k") { case m: Int => m case _ => -1 }`],
  ],
  transfers: random.boolean(0.3) ? [["i.caller", "1", "unit"]] : [],
  value: "before - after",
})}`;
  },
  args: (context) => {
    const { random } = context.world;
    const paid = random.boolean(0.5) ? 0n : random.amount(-1n, 1_000n);
    return [
      binary(other(context)),
      text(random.pick(puts)),
      integer(random.boolean(0.8) ? random.below(50) : amount(context.world)),
      integer(paid),
    ];
  },
  weight: 6,
};

/** Pays with several assets. */
const relayAssets: Callable = {
  name: "relayAssets",
  since: 5,
  parameters: "to: ByteVector, asset: ByteVector, n: Int",
  body: ({ version, random }) => {
    const payments = Array.from(
      { length: random.pick([1, 2, 2, 10, 11]) },
      (_, index) => `AttachedPayment(${index % 2 === 0 ? "asset" : "unit"}, n)`,
    );
    return `strict got = invoke(Address(to), ${stringText(random.pick(["payBack", "default", "lookAtCall"]))}, [], [${payments.join(", ")}])
${scriptResultText(version, { entries: [["Integer", `"left"`, "assetBalance(this, asset)"]], value: "n" })}`;
  },
  args: (context) => [
    binary(other(context)),
    binary(assetBytes(context)),
    integer(context.world.random.boolean(0.8) ? context.world.random.between(1, 50) : amount(context.world)),
  ],
  weight: 3,
};

/** Calls back and forth between two dApps; with plain invocations that is refused. */
const bounce: Callable = {
  name: "bounce",
  since: 5,
  parameters: "to: ByteVector, depth: Int",
  body: ({ version, random }) => {
    const call = random.boolean(0.75) ? "reentrantInvoke" : "invoke";
    return `strict got = if (depth <= 0) then unit else ${call}(Address(to), "bounce", [this.bytes, depth - 1], [${random.boolean(0.5) ? "AttachedPayment(unit, 1)" : ""}])
${scriptResultText(version, {
  entries: [["Integer", `"depth" + toString(depth)`, "wavesBalance(this).available % 1000000"]],
  transfers: random.boolean(0.4) ? [["i.caller", "1", "unit"]] : [],
  value: "depth",
})}`;
  },
  args: (context) => {
    const { random } = context.world;
    return [
      binary(other(context)),
      integer(random.boolean(0.7) ? random.below(6) : random.pick([20, 60, 99, 100, 101, 150])),
    ];
  },
  weight: 3,
};

/** Several calls in sequence, with the state that each saw. */
const callInTurn: Callable = {
  name: "callInTurn",
  since: 5,
  parameters: "to: ByteVector, n: Int",
  body: ({ version, random }) => {
    const count = random.pick([2, 5, 10, 20]);
    const items = Array.from({ length: count }, (_, index) => index).join(", ");
    return `func next(sum: Int, each: Int) = {
  strict got = invoke(Address(to), "put", ["k", each + n], [])
  sum + getInteger(Address(to), "k").valueOrElse(0)
}
strict sum = FOLD<${count}>([${items}], 0, next)
${scriptResultText(version, { entries: [["Integer", `"sum"`, "sum"]], value: "sum" })}`;
  },
  args: (context) => [binary(other(context)), integer(context.world.random.below(1000))],
  weight: 2,
};

/** Issues by a call, and uses the issued asset. */
const issueElsewhere: Callable = {
  name: "issueElsewhere",
  since: 5,
  parameters: "to: ByteVector, n: Int",
  body: ({ version }) =>
    `strict id = invoke(Address(to), "issueAndUse", [n], []).exactAs[ByteVector]
${scriptResultText(version, {
  entries: [
    ["Integer", `"elsewhere"`, "assetBalance(this, id)"],
    ["Binary", `"elsewhere id"`, "id"],
  ],
  transfers: [["i.caller", "n / 10", "id"]],
})}`,
  args: (context) => [binary(other(context)), integer(context.world.random.amount(100n, 10n ** 9n))],
  issues: 1,
  weight: 2,
};

/** Fails in the given way, after little or much computation. */
const fail: Callable = {
  name: "fail",
  since: 3,
  parameters: "how: Int, isLate: Boolean",
  body: ({ version, random }) => {
    const expensive = expensiveFalsehood(
      random,
      random.between(version < 4 ? 11 : 5, version < 4 ? 18 : 9),
      "i.transactionId",
    );
    const list = version < 4 ? "[1, 2]" : "[1, 2, how]";
    const written = (value: string): string => scriptResultText(version, { entries: [["Integer", `"f"`, value]] });
    return `if (isLate && (${expensive})) then throw("never") else
if (how == 0) then throw("told to: " + toString(i.fee)) else
if (how == 1) then ${written("how / (how - 1)")} else
if (how == 2) then ${written(`${list}[how + 5]`)} else
if (how == 3) then ${written("how * 9223372036854775807")} else
if (how == 4) then ${written(`getIntegerValue(this, "absent")`)} else
if (how == 5) then ${scriptResultText(version, { transfers: [["i.caller", "1000000000000000000", "unit"]] })} else
if (how == 6) then ${scriptResultText(version, { transfers: [["i.caller", "0 - how", "unit"]] })} else
if (how == 7) then ${scriptResultText(version, { transfers: [["Address(i.transactionId)", "1", "unit"]] })} else
if (how == 8) then throw() else
if (how == 9) then ${scriptResultText(version, { entries: [["String", `""`, `"no key"`]] })} else
${written("how")}`;
  },
  args: ({ world: { random } }) => [integer(random.below(11)), { type: "boolean", value: random.boolean(0.7) }],
  weight: 5,
};

/** Fails as late as a call can, after its actions have used up the fee. */
const failLate: Callable = {
  name: "failLate",
  since: 4,
  parameters: "asset: ByteVector, n: Int",
  body: ({ version, random }) => {
    const expensive = expensiveFalsehood(random, random.between(5, 9), "i.transactionId");
    return `if (${expensive}) then throw("never") else ${scriptResultText(version, {
      entries: [["Integer", `"late"`, "n"]],
      transfers: [
        ["i.caller", "n", "asset"],
        ["i.caller", "n + 1", "asset"],
      ],
      others: [
        `Burn(asset, n)`,
        ...(random.boolean(0.5)
          ? [`Reissue(${`getBinary(this, ${stringText(createdAssetKey)}).valueOrElse(asset)`}, n, true)`]
          : []),
      ],
    })}`;
  },
  args: (context) => [
    binary(assetBytes(context)),
    integer(context.world.random.boolean(0.8) ? context.world.random.between(1, 60) : amount(context.world)),
  ],
  weight: 3,
};

/** A late failure in a called dApp. */
const failElsewhere: Callable = {
  name: "failElsewhere",
  since: 5,
  parameters: "to: ByteVector, how: Int, isLate: Boolean",
  body: ({ version }) =>
    `strict got = invoke(Address(to), "fail", [how, isLate], [])
${scriptResultText(version, { entries: [["Integer", `"survived"`, "how"]] })}`,
  args: (context) => [
    binary(other(context)),
    integer(context.world.random.below(11)),
    { type: "boolean", value: context.world.random.boolean(0.8) },
  ],
  weight: 2,
};

export const callCallables: readonly Callable[] = [
  relay,
  relayAssets,
  bounce,
  callInTurn,
  issueElsewhere,
  fail,
  failLate,
  failElsewhere,
];

/** Address of a dApp, mostly another one; sometimes itself, or an account without a script. */
function other({ world, dApp, dApps }: CallContext): Uint8Array {
  if (world.random.boolean(0.08)) return dApp.address;
  if (world.random.boolean(0.05)) return world.address();
  const others = dApps.filter(({ address }) => address !== dApp.address);
  return others.length === 0 ? dApp.address : world.random.pick(others).address;
}
