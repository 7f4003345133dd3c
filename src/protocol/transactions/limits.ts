/**
 * Limits of transactions that are independent of the state: sizes in bytes, counts, amounts.
 * @source Waves: transaction/** (constants of the companion objects), lang/v1/ContractLimits.scala
 */
import { I64_MAX } from "../codec/i64.ts";

export const limits = {
  proofs: 8,
  proofBytes: 64,
  attachmentBytes: 140,
  assetNameMinBytes: 4,
  assetNameMaxBytes: 16,
  assetDescriptionBytes: 1000,
  assetDecimals: 8,
  massTransferItems: 100,
  dataEntries: 100,
  dataKeyBytes: 400,
  /** Size of binary and string values. */
  dataValueBytes: 32_767,
  invokeArguments: 22,
  functionNameBytes: 255,
  /** The call of an invoke transaction: whole transaction in legacy binary, data message in protobuf. */
  invokeBytes: 5120,
  /** Each takes at least two of the call's 5,120 bytes. The call itself checks the dApp's own limit. */
  payments: 2560,
  /** Nested lists: as many as the call's 5,120 bytes can hold, at five bytes each. */
  callArgumentDepth: 1024,
  orderLifetimeMs: 30n * 24n * 60n * 60n * 1000n,
  orderAttachmentBytes: 1024,
  /** 100 * 10^8 * 10^8: amounts, prices and matcher fees of orders and exchanges. */
  exchangeAmount: 1_000_000_000_000_000_000n,
  amount: I64_MAX,
} as const;
