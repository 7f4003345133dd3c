/**
 * Parsers of actions from objects of scripts.
 * @source Waves: lang/v1/evaluator/ScriptResult.scala (process*)
 */
import { utf8Bytes } from "../../protocol/codec/utf8.ts";
import type { DataValue } from "../../protocol/transactions/transaction.ts";
import type { Environment } from "../evaluator/environment.ts";
import { ExecutionError } from "../execution-error.ts";
import { issueId } from "../objects/action-ids.ts";
import type { ScriptRecipient } from "../objects/recipients.ts";
import { requiredField } from "../values/required-field.ts";
import { Text } from "../values/text.ts";
import { Structure, unit, type Value } from "../values/value.ts";
import { valueText } from "../values/value-text.ts";
import type {
  BurnAction,
  CallableAction,
  DataAction,
  IssueAction,
  LeaseAction,
  LeaseCancelAction,
  ReissueAction,
  SponsorFeeAction,
  TransferAction,
} from "./callable-action.ts";
import { fieldsText, optionsText, optionText, resultError, tupleText } from "./result-error.ts";

export interface ActionContext {
  readonly libraryVersion: number;
  readonly environment: Pick<Environment, "transactionId" | "resolveAlias">;
  /** Whether transfers to aliases are allowed: from feature 15 on. */
  readonly allowsAliases: boolean;
}

type Fields = ReadonlyMap<string, Value>;
type ActionParser = (fields: Fields, context: ActionContext) => CallableAction;

const maxDecimals = 8n;

/** Parsers of actions by the name of their type, with the first version that has them. */
const parsers: Readonly<Record<string, { readonly since: number; readonly parse: ActionParser }>> = {
  ScriptTransfer: { since: 4, parse: parseTransfer },
  IntegerEntry: { since: 4, parse: entryParser("IntegerEntry", integerValue) },
  BooleanEntry: { since: 4, parse: entryParser("BooleanEntry", booleanValue) },
  StringEntry: { since: 4, parse: entryParser("StringEntry", stringValue) },
  BinaryEntry: { since: 4, parse: entryParser("BinaryEntry", binaryValue) },
  DeleteEntry: { since: 4, parse: parseDeletion },
  Reissue: { since: 4, parse: parseReissue },
  Burn: { since: 4, parse: parseBurn },
  SponsorFee: { since: 4, parse: parseSponsorFee },
  Issue: { since: 4, parse: parseIssue },
  Lease: { since: 5, parse: parseLease },
  LeaseCancel: { since: 5, parse: parseLeaseCancel },
};

/** @throws ExecutionError the object is no action of the version */
export function parseAction(object: Structure, context: ActionContext): CallableAction {
  const definition = Object.hasOwn(parsers, object.type) ? parsers[object.type] : undefined;
  if (definition === undefined || definition.since > context.libraryVersion) {
    throw resultError(valueText(object), context.libraryVersion);
  }
  return definition.parse(object.fields, context);
}

/** `DataEntry` of version 3: any kind of value. @throws ExecutionError */
export function parseOldEntry(fields: Fields): DataAction {
  const key = fields.get("key");
  const field = fields.get("value");
  const value =
    field === undefined
      ? undefined
      : (integerValue(field) ?? booleanValue(field) ?? binaryValue(field) ?? stringValue(field));
  if (key instanceof Text && value !== undefined) return { kind: "data", key: key.text, value };
  throw resultError(`can't reconstruct DataEntry from ${fieldsText(fields)}`, 3);
}

function entryParser(type: string, read: (value: Value) => DataValue | undefined): ActionParser {
  return (fields, { libraryVersion }) => {
    const key = fields.get("key");
    const field = fields.get("value");
    const value = field === undefined ? undefined : read(field);
    if (key instanceof Text && value !== undefined) return { kind: "data", key: key.text, value };
    throw resultError(`can't reconstruct ${type} from ${fieldsText(fields)}`, libraryVersion);
  };
}

function integerValue(value: Value): DataValue | undefined {
  return typeof value === "bigint" ? { type: "integer", value } : undefined;
}
function booleanValue(value: Value): DataValue | undefined {
  return typeof value === "boolean" ? { type: "boolean", value } : undefined;
}
function binaryValue(value: Value): DataValue | undefined {
  return value instanceof Uint8Array ? { type: "binary", value } : undefined;
}
function stringValue(value: Value): DataValue | undefined {
  return value instanceof Text ? { type: "string", value: value.text } : undefined;
}

function parseDeletion(fields: Fields, { libraryVersion }: ActionContext): DataAction {
  const key = fields.get("key");
  if (key instanceof Text) return { kind: "data", key: key.text, value: null };
  throw resultError(optionText(key), libraryVersion, "DeleteEntry");
}

/** @throws ExecutionError wrong fields, or an alias without an owner */
export function parseTransfer(fields: Fields, context: ActionContext): TransferAction {
  const { libraryVersion, environment } = context;
  const to = requiredField(fields, "recipient");
  const amount = requiredField(fields, "amount");
  const asset = requiredField(fields, "asset");
  if (!(to instanceof Structure) || typeof amount !== "bigint") {
    throw resultError(tupleText(to, amount, asset), libraryVersion, "ScriptTransfer");
  }
  const isWaves = asset instanceof Structure && asset.fields.size === 0;
  if (!isWaves && !(asset instanceof Uint8Array)) {
    throw resultError(`can't reconstruct token from ${valueText(asset)}`, libraryVersion);
  }
  const recipient = parseRecipient(to, context);
  const address = recipient.kind === "address" ? recipient.bytes : environment.resolveAlias(recipient.alias);
  return { kind: "transfer", address, recipient, amount, assetId: asset instanceof Uint8Array ? asset : null };
}

function parseRecipient(object: Structure, { libraryVersion, allowsAliases }: ActionContext): ScriptRecipient {
  if (object.type === "Address") {
    const bytes = requiredField(object.fields, "bytes");
    if (bytes instanceof Uint8Array) return { kind: "address", bytes };
    throw resultError(`can't reconstruct address from ${valueText(bytes)}`, libraryVersion);
  }
  if (object.type === "Alias" && allowsAliases) {
    const alias = requiredField(object.fields, "alias");
    if (alias instanceof Text) return { kind: "alias", alias: alias.text };
    throw resultError(`can't reconstruct alias from ${valueText(alias)}`, libraryVersion);
  }
  throw resultError(valueText(object), libraryVersion, "recipient");
}

function parseIssue(fields: Fields, { environment }: ActionContext): IssueAction {
  const name = fields.get("name");
  const description = fields.get("description");
  const quantity = fields.get("quantity");
  const decimals = fields.get("decimals");
  const isReissuable = fields.get("isReissuable");
  const script = fields.get("compiledScript");
  const nonce = fields.get("nonce");
  if (
    !(name instanceof Text) ||
    !(description instanceof Text) ||
    typeof quantity !== "bigint" ||
    typeof decimals !== "bigint" ||
    typeof isReissuable !== "boolean" ||
    typeof nonce !== "bigint" ||
    script === undefined
  ) {
    throw new ExecutionError("Invalid arguments");
  }
  if (!isUnit(script)) throw new ExecutionError("Issuing scripted asset isn't supported");
  if (decimals < 0n || decimals > maxDecimals) throw new ExecutionError(`Invalid decimals ${decimals}`);
  const issue = { quantity, decimals: Number(decimals), isReissuable, nonce };
  const texts = { name: utf8Bytes(name.text), description: utf8Bytes(description.text) };
  return {
    kind: "issue",
    assetId: issueId({ ...issue, ...texts }, environment.transactionId()),
    name: name.text,
    description: description.text,
    ...issue,
  };
}

function parseReissue(fields: Fields, { libraryVersion }: ActionContext): ReissueAction {
  const assetId = fields.get("assetId");
  const quantity = fields.get("quantity");
  const isReissuable = fields.get("isReissuable");
  if (assetId instanceof Uint8Array && typeof quantity === "bigint" && typeof isReissuable === "boolean") {
    return { kind: "reissue", assetId, quantity, isReissuable };
  }
  throw resultError(optionsText(assetId, quantity, isReissuable), libraryVersion, "Reissue");
}

function parseBurn(fields: Fields, { libraryVersion }: ActionContext): BurnAction {
  const assetId = fields.get("assetId");
  const quantity = fields.get("quantity");
  if (assetId instanceof Uint8Array && typeof quantity === "bigint") return { kind: "burn", assetId, quantity };
  throw resultError(optionsText(assetId, quantity), libraryVersion, "Burn");
}

function parseSponsorFee(fields: Fields, { libraryVersion }: ActionContext): SponsorFeeAction {
  const assetId = fields.get("assetId");
  const fee = fields.get("minSponsoredAssetFee");
  if (!(assetId instanceof Uint8Array) || fee === undefined) {
    throw resultError(optionsText(assetId, fee), libraryVersion, "SponsorFee");
  }
  if (typeof fee === "bigint") return { kind: "sponsorFee", assetId, minSponsoredAssetFee: fee };
  if (isUnit(fee)) return { kind: "sponsorFee", assetId, minSponsoredAssetFee: undefined };
  // The error has the type of version 4, whatever the script's version.
  throw resultError(`can't reconstruct minSponsoredAssetFee from ${valueText(fee)}`, 4);
}

function parseLease(fields: Fields, context: ActionContext): LeaseAction {
  const recipient = fields.get("recipient");
  const amount = fields.get("amount");
  const nonce = fields.get("nonce");
  if (!(recipient instanceof Structure) || typeof amount !== "bigint" || typeof nonce !== "bigint") {
    throw resultError(optionsText(recipient, amount, nonce), context.libraryVersion, "Lease");
  }
  return { kind: "lease", recipient: parseRecipient(recipient, context), amount, nonce };
}

function parseLeaseCancel(fields: Fields, { libraryVersion }: ActionContext): LeaseCancelAction {
  const leaseId = fields.get("leaseId");
  if (leaseId instanceof Uint8Array) return { kind: "leaseCancel", leaseId };
  throw resultError(optionText(leaseId), libraryVersion, "LeaseCancel");
}

function isUnit(value: Value): boolean {
  return value instanceof Structure && value.type === unit.type && value.fields.size === 0;
}
