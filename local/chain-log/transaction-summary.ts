/** Short description of a transaction, from its JSON. */
import { isJsonObject, type ParsedJson, type ParsedObject } from "../../src/protocol/parse-json.ts";
import { TransactionType } from "../../src/protocol/transactions/transaction-type.ts";
import { shortened } from "../cli/one-line.ts";
import { wavesText } from "./amount-text.ts";
import type { TransactionEvent } from "./log-event.ts";

type Summary = Omit<TransactionEvent, "event" | "height" | "error">;

/** Limit of characters in a summary. */
const MAX_SUMMARY_CHARACTERS = 300;

/** Statuses by their names in the REST interface. */
const statuses: ReadonlyMap<unknown, Summary["status"]> = new Map([
  ["script_execution_failed", "failed"],
  ["elided", "elided"],
]);

export function transactionSummary(transaction: ParsedObject): Summary {
  const type = Number(transaction["type"]);
  const row = rows.get(type);
  return {
    id: textOf(transaction["id"]),
    type: row?.name ?? `type ${type}`,
    sender: textOf(transaction["sender"]),
    what: shortened(row?.what(transaction) ?? "", MAX_SUMMARY_CHARACTERS),
    fee: amountText(transaction["fee"], transaction["feeAssetId"]),
    complexity: Number(transaction["spentComplexity"] ?? 0n),
    status: statuses.get(transaction["applicationStatus"]) ?? "succeeded",
  };
}

/** The first and the last characters of an address or an id. */
export function short(name: ParsedJson | undefined): string {
  const text = textOf(name);
  return text.length <= 12 ? text : `${text.slice(0, 4)}…${text.slice(-4)}`;
}

interface Row {
  readonly name: string;
  readonly what: (transaction: ParsedObject) => string;
}

const rows: ReadonlyMap<number, Row> = new Map(
  Object.entries({
    Genesis: ({ recipient, amount }) => `→ ${short(recipient)} ${amountText(amount)}`,
    Payment: ({ recipient, amount }) => `→ ${short(recipient)} ${amountText(amount)}`,
    Issue: ({ name, quantity }) => `${cut(textOf(name))}, ${textOf(quantity)} of it`,
    Transfer: ({ recipient, amount, assetId }) => `→ ${short(recipient)} ${amountText(amount, assetId)}`,
    Reissue: ({ assetId, quantity }) => `${textOf(quantity)} more of ${short(assetId)}`,
    Burn: ({ assetId, amount }) => `${textOf(amount)} of ${short(assetId)}`,
    Exchange: ({ amount, price, order1 }) => {
      const { amountAsset, priceAsset } = membersOf(membersOf(order1)["assetPair"]);
      return `${amountText(amount, amountAsset)} at ${textOf(price)} ${assetText(priceAsset)}`;
    },
    Lease: ({ recipient, amount }) => `→ ${short(recipient)} ${amountText(amount)}`,
    LeaseCancel: ({ leaseId }) => short(leaseId),
    CreateAlias: ({ alias }) => cut(textOf(alias)),
    MassTransfer: ({ transferCount, totalAmount, assetId }) =>
      `→ ${textOf(transferCount)} recipients ${amountText(totalAmount, assetId)}`,
    Data: ({ data }) => listed(itemsOf(data).map((entry) => entryText(membersOf(entry)))),
    SetScript: ({ script }) => scriptText(script),
    SponsorFee: ({ assetId, minSponsoredAssetFee: fee }) =>
      fee === null ? `${short(assetId)} no more` : `${short(assetId)} from ${textOf(fee)}`,
    SetAssetScript: ({ assetId, script }) => `${short(assetId)} ${scriptText(script)}`,
    InvokeScript: invocationText,
    UpdateAssetInfo: ({ assetId, name }) => `${short(assetId)} is now ${cut(textOf(name))}`,
    Ethereum: ({ payload }) => {
      const { type, recipient, amount, asset, ...rest } = membersOf(payload);
      return type === "transfer" ? `→ ${short(recipient)} ${amountText(amount, asset)}` : invocationText(rest);
    },
    CommitToGeneration: ({ generationPeriodStart }) => `from height ${textOf(generationPeriodStart)}`,
  } satisfies Record<keyof typeof TransactionType, Row["what"]>).map(([name, what]) => [
    TransactionType[name as keyof typeof TransactionType],
    { name: name.replace(/(?<!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase(), what },
  ]),
);

function invocationText({ dApp, call, payment }: ParsedObject): string {
  const { function: name = "default", args } = membersOf(call);
  const paid = itemsOf(payment).map((each) => amountText(membersOf(each)["amount"], membersOf(each)["assetId"]));
  const pays = paid.length === 0 ? "" : ` pays ${paid.join(" and ")}`;
  return `${short(dApp)} ${cut(textOf(name))}(${itemsOf(args).map(argumentText).join(", ")})${pays}`;
}

/** Limit of characters of a text or a list. */
const MAX_CHARACTERS = 40;

function argumentText(argument: ParsedJson): string {
  const { type, value } = membersOf(argument);
  if (type === "list") return cut(`[${itemsOf(value).map(argumentText).join(", ")}]`);
  return cut(typeof value === "string" && type !== "binary" ? JSON.stringify(value) : textOf(value));
}

function entryText({ key, value }: ParsedObject): string {
  return value === null ? `${cut(textOf(key))} removed` : `${cut(textOf(key))} = ${cut(textOf(value))}`;
}

const MAX_LISTED = 3;

function listed(texts: readonly string[]): string {
  const more = texts.length - MAX_LISTED;
  return `${texts.slice(0, MAX_LISTED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function scriptText(script: ParsedJson | undefined): string {
  return typeof script === "string" ? `script of ${script.length - "base64:".length} characters` : "no script";
}

function amountText(amount: ParsedJson | undefined, assetId: ParsedJson | undefined = null): string {
  if (typeof assetId === "string") return `${textOf(amount)} ${assetText(assetId)}`;
  return `${typeof amount === "bigint" ? wavesText(amount) : textOf(amount)} WAVES`;
}

function assetText(assetId: ParsedJson | undefined): string {
  return typeof assetId === "string" ? `of ${short(assetId)}` : "WAVES";
}

function textOf(value: ParsedJson | undefined): string {
  return typeof value === "string" || typeof value === "bigint" || typeof value === "boolean" ? String(value) : "";
}

function cut(text: string): string {
  return shortened(text, MAX_CHARACTERS);
}

function membersOf(value: ParsedJson | undefined): ParsedObject {
  return isJsonObject(value) ? value : {};
}

function itemsOf(value: ParsedJson | undefined): readonly ParsedJson[] {
  return Array.isArray(value) ? value : [];
}
