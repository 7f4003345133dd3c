/**
 * Members of each transaction type: requests and responses use the same names, with a few exceptions.
 * @source docs/protocol/rest-api.md 3.3, 3.4
 */
import * as z from "zod";
import { int32, int64 } from "../../http/schema.ts";
import { TransactionType } from "../../protocol/transactions/transaction-type.ts";
import { dataEntryChange } from "./data-entry.ts";
import { order, signedOrder } from "./order.ts";
import { functionCall } from "./ride-value.ts";
import { address, asset, assetId, base58, id, payments, recipient, script } from "./values.ts";

type Members = z.ZodRawShape;

interface TypeDefinition {
  readonly name: string;
  /** In requests and responses. */
  readonly both: () => Members;
  /** In responses only. */
  readonly printed?: () => Members;
  /** In requests only. */
  readonly requested?: () => Members;
  /** Replacements in requests to sign. */
  readonly unsigned?: () => Members;
  /** Whether versions 1 repeat the first proof as `signature`. */
  readonly hasSignature?: true;
  /** Whether the type cannot be broadcast as JSON. */
  readonly isResponseOnly?: true;
}

const name = () => z.string();
const attachment = () => base58().meta({ description: "At most 140 bytes in base58; requests may say `base64:`." });
const noScript = "null: none.";

const definitionOfType: Readonly<Record<keyof typeof TransactionType, Omit<TypeDefinition, "name">>> = {
  Genesis: {
    both: () => ({ recipient: address(), amount: int64() }),
    printed: () => ({ signature: base58() }),
    isResponseOnly: true,
  },
  Payment: { both: () => ({ recipient: address(), amount: int64() }), isResponseOnly: true },
  Issue: {
    both: () => ({
      name: name(),
      description: z.string(),
      quantity: int64(),
      decimals: int32(),
      reissuable: z.boolean(),
      script: script()
        .nullable()
        .optional()
        .meta({ description: `From version 2 on. ${noScript}` }),
    }),
    printed: () => ({ assetId: assetId() }),
    hasSignature: true,
  },
  Transfer: {
    both: () => ({ recipient: recipient(), assetId: asset(), amount: int64(), attachment: attachment() }),
    printed: () => ({ feeAsset: asset() }),
    requested: () => ({ assetId: asset().optional(), attachment: attachment().optional() }),
    hasSignature: true,
  },
  Reissue: {
    both: () => ({ assetId: assetId(), quantity: int64(), reissuable: z.boolean() }),
    hasSignature: true,
  },
  Burn: { both: () => ({ assetId: assetId(), amount: int64() }), hasSignature: true },
  Exchange: {
    both: () => ({ amount: int64(), price: int64(), buyMatcherFee: int64(), sellMatcherFee: int64() }),
    printed: () => ({ order1: order(), order2: order() }),
    requested: () => ({ order1: signedOrder(), order2: signedOrder() }),
    hasSignature: true,
  },
  Lease: { both: () => ({ amount: int64(), recipient: recipient() }), hasSignature: true },
  LeaseCancel: { both: () => ({ leaseId: id() }), hasSignature: true },
  CreateAlias: {
    both: () => ({ alias: z.string().meta({ description: "The bare name." }) }),
    hasSignature: true,
  },
  MassTransfer: {
    both: () => ({
      assetId: asset(),
      attachment: attachment(),
      transfers: z.array(z.strictObject({ recipient: recipient(), amount: int64() })),
    }),
    printed: () => ({ transferCount: int32(), totalAmount: int64() }),
    requested: () => ({ assetId: asset().optional(), attachment: attachment().optional() }),
  },
  Data: { both: () => ({ data: z.array(dataEntryChange()) }) },
  SetScript: {
    both: () => ({ script: script().nullable().meta({ description: noScript }) }),
    requested: () => ({ script: script().nullable().optional() }),
  },
  SponsorFee: {
    both: () => ({
      assetId: assetId(),
      minSponsoredAssetFee: int64().nullable().meta({ description: "null: the sponsorship ends." }),
    }),
  },
  SetAssetScript: { both: () => ({ assetId: assetId(), script: script().nullable() }) },
  InvokeScript: {
    both: () => ({ dApp: recipient(), payment: payments(), call: functionCall() }),
    requested: () => ({
      payment: payments().optional(),
      call: functionCall().optional().meta({ description: "Default: the default function." }),
    }),
  },
  UpdateAssetInfo: { both: () => ({ assetId: assetId(), name: name(), description: z.string() }) },
  Ethereum: {
    both: () => ({}),
    printed: () => ({ bytes: z.string().meta({ description: "The Ethereum transaction: hex with 0x." }) }),
    isResponseOnly: true,
  },
  CommitToGeneration: {
    both: () => ({ endorserPublicKey: base58(), generationPeriodStart: int32(), commitmentSignature: base58() }),
    unsigned: () => ({
      endorserPublicKey: base58().optional().meta({ description: "To sign: default, that of the signer." }),
      generationPeriodStart: int32().optional().meta({ description: "To sign: default, the next period's." }),
      commitmentSignature: base58().optional().meta({ description: "To sign: default, it is computed." }),
    }),
  },
};

export type TransactionTypeDefinition = TypeDefinition & { readonly type: number };

/** In the order of their numbers. */
export const transactionTypeDefinitions: readonly TransactionTypeDefinition[] = Object.entries(TransactionType).map(
  ([key, type]) => ({ ...definitionOfType[key as keyof typeof TransactionType], type, name: key }),
);
