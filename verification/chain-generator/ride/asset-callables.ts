/** Callables that send the dApp's assets, and that issue, reissue, burn, sponsor and lease. */
import {
  amount,
  assetBytes,
  binary,
  boolean,
  type Callable,
  createdAssetKey,
  createdLeaseKey,
  findCreatedAsset,
  integer,
  text,
} from "./callable.ts";
import { stringText } from "./ride-text.ts";
import { scriptResultText } from "./script-result.ts";

const asset = stringText(createdAssetKey);
const lease = stringText(createdLeaseKey);
/** The asset that the dApp issued; an id of no asset if there is none. */
const storedAssetId = `(match getBinary(this, ${asset}) { case b: ByteVector => b case _ => i.transactionId })`;
const storedLeaseId = `(match getBinary(this, ${lease}) { case b: ByteVector => b case _ => i.transactionId })`;

const pay: Callable = {
  name: "pay",
  since: 3,
  parameters: "n: Int",
  body: ({ version }) =>
    scriptResultText(version, { transfers: [["i.caller", "n", "unit"]], value: "wavesBalance(this).available" }),
  args: ({ world }) => [integer(amount(world))],
  weight: 2,
};

const payAsset: Callable = {
  name: "payAsset",
  since: 3,
  parameters: "to: ByteVector, n: Int, asset: ByteVector",
  body: ({ version }) =>
    scriptResultText(version, {
      transfers: [
        ["Address(to)", "n", "asset"],
        ["i.caller", "n / 2 + 1", "asset"],
      ],
      entries: [["Integer", `"paid"`, "n"]],
    }),
  args: (context) => {
    const { random } = context.world;
    const to = random.boolean(0.92) ? context.world.address() : random.bytes(26);
    return [
      binary(to),
      integer(random.boolean(0.9) ? random.amount(1n, 1_000n) : amount(context.world)),
      binary(assetBytes(context)),
    ];
  },
  weight: 3,
};

const payMany: Callable = {
  name: "payMany",
  since: 3,
  parameters: "n: Int",
  body: ({ version, random }) => {
    const count = random.pick([3, 9, 10, 11, 30, 31, 100, 101]);
    const transfers = Array.from(
      { length: Math.min(count, version >= 6 ? 101 : version === 5 ? 31 : 11) },
      (_, index) => ["i.caller", `n + ${index}`, "unit"] as const,
    );
    return scriptResultText(version, { transfers, value: "n" });
  },
  args: ({ world: { random } }) => [integer(random.amount(0n, 1_000n))],
};

const payBack: Callable = {
  name: "payBack",
  since: 4,
  parameters: "",
  body: ({ version }) =>
    `let count = size(i.payments)\nif (count == 0) then throw("pay first") else ${scriptResultText(version, {
      transfers: [["i.caller", "i.payments[count - 1].amount", "i.payments[count - 1].assetId"]],
      value: "count",
    })}`,
  args: () => [],
  weight: 2,
};

const payAlias: Callable = {
  name: "payAlias",
  since: 4,
  parameters: "name: String",
  body: ({ version }) => scriptResultText(version, { transfers: [["Alias(name)", "7", "unit"]] }),
  args: ({ world }) => [text(world.ownedAlias()?.name ?? "absent")],
};

const paySelf: Callable = {
  name: "paySelf",
  since: 3,
  parameters: "n: Int",
  body: ({ version }) => scriptResultText(version, { transfers: [["this", "n", "unit"]] }),
  args: () => [integer(1)],
  weight: 0.5,
};

const issue: Callable = {
  name: "issue",
  since: 4,
  parameters: "name: String, quantity: Int, decimals: Int, isReissuable: Boolean",
  body: ({ version, random }) => {
    const made = random.boolean(0.5)
      ? `Issue(name, "of a script", quantity, decimals, isReissuable)`
      : `Issue(name, "of a script", quantity, decimals, isReissuable, unit, ${random.below(1000)})`;
    return `let made = ${made}\nlet id = calculateAssetId(made)\n${scriptResultText(version, {
      entries: [["Binary", asset, "id"]],
      others: ["made"],
      transfers: random.boolean(0.5) ? [["i.caller", "quantity / 4 + 1", "id"]] : [],
      value: "id",
    })}`;
  },
  args: ({ world: { random } }) => [
    text(random.text(random.boolean(0.95) ? random.between(4, 16) : 3)),
    integer(random.boolean(0.95) ? random.amount(1_000n, 10n ** 15n) : random.pick([0n, -5n])),
    integer(random.boolean(0.97) ? random.below(9) : 9),
    boolean(random.boolean(0.8)),
  ],
  issues: 1,
  weight: 3,
};

const issueOne: Callable = {
  name: "issueOne",
  since: 4,
  parameters: "n: Int",
  body: ({ version }) =>
    scriptResultText(version, {
      others: [
        `Issue("only one", toString(n), 1, 0, false, unit, n)`,
        `Issue("another", toString(n), 1, 0, false, unit, n + 1)`,
      ],
    }),
  args: ({ world: { random } }) => [integer(random.below(1000))],
};

const issueAndUse: Callable = {
  name: "issueAndUse",
  since: 4,
  parameters: "n: Int",
  body: ({ version, random }) =>
    `let made = Issue("used at once", "", n, 2, true, unit, n)\nlet id = calculateAssetId(made)\n${scriptResultText(
      version,
      {
        entries: [["Binary", asset, "id"]],
        others: [
          "made",
          `Reissue(id, n, ${random.boolean(0.7)})`,
          "Burn(id, n / 2)",
          `SponsorFee(id, ${random.between(1, 50)})`,
        ],
        transfers: [["i.caller", "n / 3", "id"]],
        value: "id",
      },
    )}`,
  args: ({ world: { random } }) => [integer(random.amount(10n, 10n ** 10n))],
  issues: 1,
  weight: 2,
};

const reissue: Callable = {
  name: "reissue",
  since: 4,
  parameters: "n: Int, isReissuable: Boolean",
  body: ({ version }) =>
    scriptResultText(version, {
      others: [`Reissue(${storedAssetId}, n, isReissuable)`],
      entries: [["Integer", `"reissued"`, "n"]],
    }),
  args: ({ world }) => [integer(amount(world)), boolean(world.random.boolean(0.9))],
  weight: 2,
};

const burn: Callable = {
  name: "burn",
  since: 4,
  parameters: "asset: ByteVector, n: Int",
  body: ({ version }) => scriptResultText(version, { others: ["Burn(asset, n)"] }),
  args: (context) => {
    const made = context.world.random.boolean(0.7) ? findCreatedAsset(context) : undefined;
    return [
      binary(made ?? assetBytes(context)),
      integer(context.world.random.boolean(0.8) ? context.world.random.below(100) : amount(context.world)),
    ];
  },
  weight: 2,
};

const sponsor: Callable = {
  name: "sponsor",
  since: 4,
  parameters: "n: Int, ends: Boolean",
  body: ({ version }) =>
    `let least = if (ends) then unit else n\n${scriptResultText(version, { others: [`SponsorFee(${storedAssetId}, least)`] })}`,
  args: ({ world: { random } }) => [
    integer(random.boolean(0.9) ? random.between(1, 100) : random.between(-1, 0)),
    boolean(random.boolean(0.2)),
  ],
  weight: 2,
};

const leaseOut: Callable = {
  name: "lease",
  since: 5,
  parameters: "to: ByteVector, n: Int",
  body: ({ version, random }) => {
    const made = random.boolean(0.5) ? "Lease(Address(to), n)" : `Lease(Address(to), n, ${random.below(100)})`;
    return `let made = ${made}\n${scriptResultText(version, {
      others: ["made"],
      entries: [["Binary", lease, "calculateLeaseId(made)"]],
      value: "calculateLeaseId(made)",
    })}`;
  },
  args: ({ world, dApp }) => [
    binary(world.random.boolean(0.95) ? world.address() : dApp.address),
    integer(amount(world)),
  ],
  weight: 2,
};

const leaseCancel: Callable = {
  name: "leaseCancel",
  since: 5,
  parameters: "",
  body: ({ version }) => scriptResultText(version, { others: [`LeaseCancel(${storedLeaseId})`] }),
  args: () => [],
  weight: 2,
};

const leaseAndCancel: Callable = {
  name: "leaseAndCancel",
  since: 5,
  parameters: "n: Int",
  body: ({ version, random }) =>
    `let made = Lease(i.caller, n, ${random.below(9)})\n${scriptResultText(version, { others: ["made", "LeaseCancel(calculateLeaseId(made))"], value: "n" })}`,
  args: ({ world }) => [integer(amount(world))],
};

const manyActions: Callable = {
  name: "manyActions",
  since: 4,
  parameters: "n: Int",
  body: ({ version, random }) => {
    const most = version >= 6 ? 31 : version === 5 ? 31 : 11;
    const count = random.pick([5, most - 1, most]);
    const others = Array.from({ length: count }, (_, index) => `Burn(${storedAssetId}, ${index % 3})`);
    return scriptResultText(version, { others, value: "n" });
  },
  args: () => [integer(1)],
};

export const assetCallables: readonly Callable[] = [
  pay,
  payAsset,
  payMany,
  payBack,
  payAlias,
  paySelf,
  issue,
  issueOne,
  issueAndUse,
  reissue,
  burn,
  sponsor,
  leaseOut,
  leaseCancel,
  leaseAndCancel,
  manyActions,
];
