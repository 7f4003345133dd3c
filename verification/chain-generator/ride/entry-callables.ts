/** Callables that write data, and callables that read the chain and write the results as data. */
import {
  amount,
  assetBytes,
  binary,
  boolean,
  type Callable,
  createdAssetKey,
  integer,
  listOf,
  text,
} from "./callable.ts";
import { stringText } from "./ride-text.ts";
import { type EntryKind, scriptResultText } from "./script-result.ts";

const keys = ["price", "owner", "state", "k", "n"] as const;
const kinds: readonly EntryKind[] = ["Integer", "Boolean", "String", "Binary"];

const put: Callable = {
  name: "put",
  since: 3,
  parameters: "key: String, n: Int",
  body: ({ version, random }) =>
    scriptResultText(version, {
      entries: [
        ["Integer", "key", `n + ${random.below(100)}`],
        ["Boolean", `key + "?"`, "n > 0"],
        ["String", `key + "$"`, "toString(n)"],
        ["Binary", `key + "#"`, "toBytes(n)"],
      ],
      value: random.pick(["n", "key", "[n, n + 1]", "(n, key)", "unit", "toBytes(n)", "[key]"]),
    }),
  args: ({ world: { random } }) => [
    text(random.boolean(0.05) ? "" : random.pick(keys)),
    integer(random.amount(-1000n, 10n ** 18n)),
  ],
  weight: 3,
};

const putAll: Callable = {
  name: "putAll",
  since: 3,
  parameters: "n: Int",
  body: ({ version, random }) => {
    const count = random.pick([5, 20, 99, 100, 100, 101]);
    const entries = Array.from({ length: count }, (_, index) => {
      const kind = kinds[index % kinds.length] as EntryKind;
      return [kind, stringText(`all${index}`), valueText(kind, index)] as const;
    });
    return scriptResultText(version, { entries, value: "n" });
  },
  args: ({ world: { random } }) => [integer(random.below(1000))],
};

const putTwice: Callable = {
  name: "putTwice",
  since: 3,
  parameters: "key: String, isAgain: Boolean",
  body: ({ version }) =>
    `if (isAgain) then ${scriptResultText(version, {
      entries: [
        ["Integer", "key", "1"],
        ["String", "key", `"2"`],
      ],
    })} else ${scriptResultText(version, { entries: [["Boolean", "key", "isAgain"]] })}`,
  args: ({ world: { random } }) => [text(random.pick(keys)), boolean(random.boolean(0.5))],
};

const remove: Callable = {
  name: "remove",
  since: 4,
  parameters: "key: String",
  body: ({ version }) =>
    scriptResultText(version, { others: ["DeleteEntry(key)"], entries: [["Integer", `key + "!"`, "1"]] }),
  args: ({ world: { random } }) => [text(random.pick(keys))],
};

const putBig: Callable = {
  name: "putBig",
  since: 3,
  parameters: "value: String, bytes: ByteVector",
  body: ({ version, random }) =>
    scriptResultText(version, {
      entries: [
        ["String", `"big"`, "value + value + value"],
        ["Binary", `"big#"`, "bytes + bytes + bytes"],
        ["String", `take(value, ${random.boolean(0.1) ? 401 : version < 4 ? 100 : 400})`, "take(value, 30)"],
      ],
    }),
  args: ({ world: { random } }) => {
    const length = random.pick([10, 300, 1_000, 2_000, 2_400]);
    return [text(random.text(length)), binary(random.bytes(length))];
  },
};

const putList: Callable = {
  name: "putList",
  since: 4,
  parameters: "numbers: List[Int], words: List[String], flags: List[Boolean]",
  body: ({ version }) =>
    `let first = if (size(numbers) > 0) then numbers[0] else -1\n${scriptResultText(version, {
      entries: [
        ["Integer", `"numbers"`, "size(numbers)"],
        ["String", `"words"`, `makeString(words, ",")`],
        ["Integer", `"first"`, "first"],
        ["Boolean", `"flag"`, "containsElement(flags, true)"],
      ],
      value: "(numbers, words)",
    })}`,
  args: ({ world: { random } }) => {
    const some = <T>(make: () => T): T[] => Array.from({ length: random.below(6) }, make);
    return [
      listOf(some(() => integer(random.amount(-5n, 10n ** 12n)))),
      listOf(some(() => text(random.text(random.below(9))))),
      listOf(some(() => boolean(random.boolean(0.5)))),
    ];
  },
  weight: 2,
};

const putEither: Callable = {
  name: "putEither",
  since: 4,
  until: 5,
  parameters: "x: Int|String|Boolean",
  body: ({ version }) =>
    `let shown = match x {\n case n: Int => "n" + toString(n)\n case s: String => "s" + s\n case b: Boolean => "b" + toString(b)\n}\n${scriptResultText(version, { entries: [["String", `"either"`, "shown"]] })}`,
  args: ({ world: { random } }) => [random.pick([integer(random.below(99)), text("word"), boolean(true)])],
};

/**
 * Reads balances, assets, blocks, transfers and entries. Excludes values that depend on whether a block arrived whole
 * or as micro-blocks (docs/decisions/0016): the same blocks would give another state on another node.
 */
const look: Callable = {
  name: "look",
  since: 3,
  parameters: "account: ByteVector, asset: ByteVector, id: ByteVector, at: Int, key: String",
  body: ({ version }) =>
    scriptResultText(version, {
      entries: [
        ...balanceEntries(version),
        ["Integer", `"asset"`, "assetBalance(Address(account), asset)"],
        ["String", `"info"`, assetInfoText(version)],
        ["String", `"block"`, blockInfoText(version)],
        ["String", `"transfer"`, transferText()],
        ["Integer", `"height"`, "height + lastBlock.height"],
        ["Integer", `"time"`, "lastBlock.timestamp / 1000"],
        ["String", `"heightOf"`, `match transactionHeightById(id) { case n: Int => toString(n) case _ => "none" }`],
        ["String", `"entry"`, entryText()],
        ...newEntries(version),
      ],
      value: "wavesBalance(this).regular",
    }),
  args: (context) => {
    const { world, dApps } = context;
    const { random } = world;
    const account = random.boolean(0.9) ? random.pick([...dApps, ...world.accounts.users]).address : random.bytes(26);
    const id = random.pick([world.someTransactionId(), world.someTransactionId(), random.bytes(32)]);
    return [
      binary(account),
      binary(assetBytes(context)),
      binary(id),
      integer(random.between(-1, world.view.height + 2)),
      text(random.pick(keys)),
    ];
  },
  weight: 3,
};

/** Writes the fields of the invocation. */
const lookAtCall: Callable = {
  name: "lookAtCall",
  since: 3,
  parameters: "",
  body: ({ version }) =>
    scriptResultText(version, {
      entries: [
        ["Binary", `"caller"`, "i.caller.bytes"],
        ["Binary", `"key"`, "i.callerPublicKey"],
        ["Binary", `"id"`, "i.transactionId"],
        ["Integer", `"fee"`, "i.fee"],
        ["Boolean", `"feeAsset"`, "isDefined(i.feeAssetId)"],
        ["String", `"payments"`, paymentText(version)],
        ...(version >= 5
          ? ([
              ["Binary", `"origin"`, "i.originCaller.bytes"],
              ["Binary", `"originKey"`, "i.originCallerPublicKey"],
            ] as const)
          : []),
      ],
    }),
  args: () => [],
  weight: 2,
};

const seeAlias: Callable = {
  name: "seeAlias",
  since: 3,
  parameters: "name: String",
  body: ({ version }) =>
    scriptResultText(version, {
      entries: [["Binary", `"alias"`, "addressFromRecipient(Alias(name)).bytes"]],
      value: "name",
    }),
  args: ({ world }) => [
    text(world.random.boolean(0.8) ? (world.ownedAlias()?.name ?? "absent") : world.random.text(6)),
  ],
};

/** Values of types that are rare in callables. */
const compute: Callable = {
  name: "compute",
  since: 3,
  parameters: "n: Int, s: String, b: ByteVector",
  body: ({ version, random }) =>
    scriptResultText(version, {
      entries: [
        ["Integer", `"power"`, "pow(if (n < 0) then 0 - n + 1 else n + 1, 2, 3, 1, 4, HALFUP)"],
        ["Integer", `"fraction"`, `fraction(n, ${random.between(1, 1000)}, ${random.between(1, 9)})`],
        ["String", `"base58"`, "toBase58String(take(b, 60)) + toBase64String(b)"],
        ["Binary", `"hash"`, "keccak256(b)"],
        ["Binary", `"hash2"`, "sha256(toBytes(s)) + blake2b256(b)"],
        ["Integer", `"parsed"`, "parseIntValue(s)"],
        ["Integer", `"mod"`, `n % ${random.between(2, 50)} - n / ${random.between(2, 50)}`],
      ],
    }),
  args: ({ world: { random } }) => [
    integer(random.amount(-1_000_000n, 10n ** 10n)),
    text(random.boolean(0.8) ? `${random.below(10_000)}` : "seven"),
    binary(random.bytes(random.below(64))),
  ],
};

const standard: Callable = {
  name: "default",
  since: 3,
  parameters: "",
  body: ({ version }) =>
    scriptResultText(version, {
      entries: [["Integer", `"defaults"`, `(match getInteger(this, "defaults") { case n: Int => n case _ => 0 }) + 1`]],
    }),
  args: () => [],
};

const useCreatedAsset: Callable = {
  name: "useKept",
  since: 4,
  parameters: "n: Int",
  body: ({ version }) =>
    scriptResultText(version, {
      entries: [["Integer", `"kept"`, `assetBalance(this, getBinaryValue(this, ${stringText(createdAssetKey)})) + n`]],
    }),
  args: ({ world }) => [integer(amount(world))],
};

export const entryCallables: readonly Callable[] = [
  put,
  putAll,
  putTwice,
  remove,
  putBig,
  putList,
  putEither,
  look,
  lookAtCall,
  seeAlias,
  compute,
  standard,
  useCreatedAsset,
];

function valueText(kind: EntryKind, index: number): string {
  switch (kind) {
    case "Integer":
      return `n + ${index}`;
    case "Boolean":
      return index % 8 === 1 ? "true" : "n > 10";
    case "String":
      return stringText(`value ${index}`);
    case "Binary":
      return "toBytes(n)";
  }
}

function balanceEntries(version: number): readonly (readonly [EntryKind, string, string])[] {
  if (version < 4) return [["Integer", `"waves"`, "wavesBalance(Address(account))"]];
  const parts = ["available", "regular", "effective"];
  return parts.map((part) => ["Integer", stringText(part), `wavesBalance(Address(account)).${part}`] as const);
}

function assetInfoText(version: number): string {
  const basic = `toString(a.quantity) + toString(a.decimals) + toString(a.reissuable) + toString(a.scripted) + toString(a.issuer)`;
  const sponsored =
    version < 4
      ? "toString(a.sponsored)"
      : `(match a.minSponsoredFee { case n: Int => toString(n) case _ => "-" }) + a.name + a.description`;
  return `match assetInfo(asset) { case a: Asset => ${basic} + ${sponsored} case _ => "none" }`;
}

function blockInfoText(version: number): string {
  const basic =
    "toString(b.timestamp) + toString(b.height) + toString(b.baseTarget) + toBase64String(b.generationSignature) + toString(b.generator) + toBase58String(b.generatorPublicKey)";
  const vrf = version < 4 ? "" : ` + (match b.vrf { case v: ByteVector => toBase64String(v) case _ => "-" })`;
  const rewards =
    version < 7
      ? ""
      : ` + (if (at == height - 1) then "-" else toString(size(b.rewards)) + toBase58String(b.rewards[0]._1.bytes) + toString(b.rewards[0]._2))`;
  return `match blockInfoByHeight(at) { case b: BlockInfo => ${basic}${vrf}${rewards} case _ => "none" }`;
}

function transferText(): string {
  return `match transferTransactionById(id) { case t: TransferTransaction => toString(t.amount) + toBase58String(t.senderPublicKey) + toString(t.timestamp) + toString(t.fee) + toBase58String(addressFromRecipient(t.recipient).bytes) case _ => "none" }`;
}

function entryText(): string {
  return `(match getInteger(Address(account), key) { case n: Int => toString(n) case _ => "-" }) + (match getString(Address(account), key) { case s: String => s case _ => "-" }) + (match getBoolean(Address(account), key) { case b: Boolean => toString(b) case _ => "-" }) + (match getBinary(Address(account), key) { case b: ByteVector => toBase58String(b) case _ => "-" })`;
}

function newEntries(version: number): readonly (readonly [EntryKind, string, string])[] {
  if (version < 5) return [];
  return [
    ["Boolean", `"untouched"`, "isDataStorageUntouched(Address(account))"],
    [
      "String",
      `"script"`,
      `match scriptHash(Address(account)) { case h: ByteVector => toBase58String(h) case _ => "none" }`,
    ],
  ];
}

function paymentText(version: number): string {
  if (version === 3) {
    return `match i.payment { case p: AttachedPayment => toString(p.amount) + (match p.assetId { case a: ByteVector => toBase58String(a) case _ => "WAVES" }) case _ => "none" }`;
  }
  const one = (index: number): string =>
    `(if (size(i.payments) > ${index}) then toString(i.payments[${index}].amount) + toBase58String(i.payments[${index}].assetId.valueOrElse(base58'')) else "-")`;
  return `${one(0)} + ${one(1)} + toString(size(i.payments))`;
}
