/**
 * Limits of transactions that hold whatever the state: sizes in bytes, counts, amounts.
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
  /** Of binary and string values. */
  dataValueBytes: 32_767,
  invokeArguments: 22,
  functionNameBytes: 255,
  /** The call of an invoke transaction: whole transaction in legacy binary, data message in protobuf. */
  invokeBytes: 5120,
  /** Each takes two bytes at least of the call's 5,120. How many of them a dApp takes is asked where the call runs. */
  payments: 2560,
  /** Lists within lists: as many as the call's 5,120 bytes hold. Each takes five. */
  callArgumentDepth: 1024,
  orderLifetimeMs: 30n * 24n * 60n * 60n * 1000n,
  orderAttachmentBytes: 1024,
  /** 100 * 10^8 * 10^8: amounts, prices and matcher fees of orders and exchanges. */
  exchangeAmount: 1_000_000_000_000_000_000n,
  amount: I64_MAX,
} as const;
