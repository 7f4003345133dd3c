/**
 * Transactions in the forms of requests and responses.
 * @source docs/protocol/rest-api.md 3.2, 3.4
 */
import * as z from "zod";
import { int32, int64, named, once, type Schema } from "../../http/schema.ts";
import { TransactionType } from "../../protocol/transactions/transaction-type.ts";
import { leaseReference } from "./lease.ts";
import { functionCall } from "./ride-value.ts";
import { stateChanges } from "./state-changes.ts";
import { broadcastTraceStep, traceStep } from "./trace.ts";
import { type TransactionTypeDefinition, transactionTypeDefinitions } from "./transaction-types.ts";
import { address, asset, base58, id, payments, publicKey, timestamp } from "./values.ts";

type TypeSchema = Schema<z.ZodObject>;
type Additions = (definition: TransactionTypeDefinition) => z.ZodRawShape;

const { Genesis, Payment, Lease, LeaseCancel, InvokeScript, Ethereum } = TransactionType;

/** Members of all types except genesis. */
function senderMembers({ type, hasSignature }: TransactionTypeDefinition): z.ZodRawShape {
  if (type === Genesis) return {};
  const signed = { proofs: z.array(base58()), ...(hasSignature && { signature: base58().optional() }) };
  const versioned = { version: int32(), chainId: int32().optional() };
  return {
    feeAssetId: asset(),
    sender: address(),
    senderPublicKey: publicKey(),
    ...(type !== Ethereum && signed),
    ...(type !== Payment && versioned),
  };
}

/** Each type without additions. */
const plainTypes: readonly (readonly [TransactionTypeDefinition, TypeSchema])[] = transactionTypeDefinitions.map(
  (definition) => [
    definition,
    named(`${definition.name}Transaction`, () =>
      z.strictObject({
        type: z.literal(BigInt(definition.type)),
        id: id(),
        fee: int64(),
        timestamp: timestamp(),
        ...senderMembers(definition),
        ...definition.both(),
        ...definition.printed?.(),
      }),
    ),
  ],
);

/**
 * A form of every type: its own members, and additions if there are any.
 * @param suffix suffix of the names in the document
 */
function formOf(suffix: string, additions: Additions): Schema {
  return named(`Transaction${suffix}`, () =>
    unionOf(
      plainTypes.map(([definition, plain]) => {
        const added = additions(definition);
        if (Object.keys(added).length === 0) return plain();
        const base = `${definition.name}Transaction`;
        return plain()
          .extend(added)
          .meta({ id: `${base}${suffix}`, extends: base });
      }),
    ),
  );
}

function unionOf(types: readonly z.ZodObject[]): z.ZodType {
  return z.discriminatedUnion("type", types as [z.ZodObject, ...z.ZodObject[]]);
}

const applicationStatus = () => z.enum(["succeeded", "script_execution_failed", "elided"]);

const payload = once(() =>
  z
    .union([
      z.strictObject({ type: z.literal("transfer"), recipient: address(), asset: asset(), amount: int64() }),
      z.strictObject({
        type: z.literal("invocation"),
        dApp: address(),
        call: functionCall().nullable(),
        payment: payments(),
        stateChanges: stateChanges().nullable(),
      }),
      z.strictObject({}).meta({ description: "The node does not know its effects." }),
    ])
    .meta({ description: "Effect of the Ethereum transaction." }),
);

/** Results of a transaction on the chain, by type. */
function ownMeta({ type }: TransactionTypeDefinition): z.ZodRawShape {
  switch (type) {
    case Lease:
      return { status: z.enum(["active", "canceled"]).meta({ description: "Current status of the lease." }) };
    case LeaseCancel:
      return { lease: leaseReference() };
    case InvokeScript:
      return { stateChanges: stateChanges().nullable() };
    case Ethereum:
      return { payload: payload() };
    default:
      return {};
  }
}

const statusMembers = () => ({
  applicationStatus: applicationStatus().optional().meta({ description: "From feature 15 on." }),
  spentComplexity: int64(),
});

/** Transactions as signed. */
export const transaction = formOf("", () => ({}));

export const transactionWithMeta = formOf("WithMeta", (definition) => ({
  height: int32(),
  ...statusMembers(),
  ...ownMeta(definition),
}));

export const transactionInBlock = formOf("InBlock", () => ({
  applicationStatus: applicationStatus().optional().meta({ description: "In blocks of version 5." }),
}));

/** In the pool. */
export const unconfirmedTransaction = formOf("Unconfirmed", ({ type }) =>
  type === LeaseCancel ? { lease: leaseReference() } : {},
);

export const broadcastTransaction = formOf("Broadcast", () => ({
  trace: z.array(broadcastTraceStep()).optional().meta({ description: "Present with `trace`." }),
}));

const validationMembers = () => ({
  validationTime: int64().meta({ description: "Milliseconds." }),
  trace: z.array(traceStep()),
  height: int32(),
});

const validTransaction = formOf("Valid", (definition) => {
  const { payload: _, ...meta } = ownMeta(definition);
  return { valid: z.literal(true), ...validationMembers(), ...statusMembers(), ...meta };
});

/** @source docs/protocol/rest-api.md 3.10 */
export const validation = named("Validation", () =>
  z.union([
    z.strictObject({
      valid: z.literal(false),
      ...validationMembers(),
      error: z.string(),
      transaction: z
        .record(z.string(), z.unknown())
        .meta({ description: "The transaction; the request itself, if it could not be parsed." }),
    }),
    validTransaction(),
  ]),
);

/** An Issue transaction inside a balance. */
export const issueTransaction = named("IssueTransactionInBalance", () => {
  const [, issue] = plainTypes.find(
    ([definition]) => definition.type === TransactionType.Issue,
  ) as (typeof plainTypes)[number];
  return issue().extend({ chainId: int32().nullable() });
});

/** Requests: every type that can be sent as JSON. Other members are ignored. */
export const signedTransaction = named("SignedTransaction", () =>
  unionOf(
    transactionTypeDefinitions
      .filter((definition) => definition.isResponseOnly !== true)
      .map((definition) => signedTypes(definition)),
  ),
);

function signedTypes(definition: TransactionTypeDefinition): z.ZodObject {
  return z
    .object({
      type: z.literal(BigInt(definition.type)),
      version: int32().optional(),
      chainId: int32().optional().meta({ description: "If present, that of the network." }),
      senderPublicKey: publicKey(),
      fee: int64(),
      feeAssetId: asset().optional(),
      timestamp: timestamp().optional(),
      proofs: z.array(base58()).max(8).nullable().optional(),
      ...(definition.hasSignature && { signature: base58().optional() }),
      ...definition.both(),
      ...definition.requested?.(),
    })
    .meta({ id: `Signed${definition.name}Transaction` });
}

/** Requests with unsigned transactions. */
export const unsignedTransaction = named("UnsignedTransaction", () =>
  unionOf(
    transactionTypeDefinitions
      .filter((definition) => definition.isResponseOnly !== true)
      .map((definition) => unsignedTypes(definition)),
  ),
);

function unsignedTypes(definition: TransactionTypeDefinition): z.ZodObject {
  return z
    .object({
      type: z.literal(BigInt(definition.type)),
      version: z.union([int32(), z.string()]).optional().meta({ description: "Default: 1. May be a text of digits." }),
      chainId: int32().optional(),
      sender: address().optional().meta({ description: "To sign: an account of the wallet." }),
      senderPublicKey: publicKey().optional().meta({ description: "To calculate a fee." }),
      fee: int64().optional().meta({ description: "To sign." }),
      feeAssetId: asset().optional(),
      feeAsset: asset().optional().meta({ description: "Used if there is no `feeAssetId`." }),
      timestamp: timestamp().optional().meta({ description: "Default: now." }),
      ...definition.both(),
      ...definition.requested?.(),
      ...definition.unsigned?.(),
    })
    .meta({ id: `Unsigned${definition.name}Transaction` });
}
