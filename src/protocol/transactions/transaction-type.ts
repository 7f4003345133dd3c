/**
 * Transaction types by number, as in bytes and JSON. `table.ts` has the properties of each type.
 * @source docs/protocol/rest-api.md 3.3; Waves: transaction/TransactionType.scala
 */
export const TransactionType = {
  Genesis: 1,
  Payment: 2,
  Issue: 3,
  Transfer: 4,
  Reissue: 5,
  Burn: 6,
  Exchange: 7,
  Lease: 8,
  LeaseCancel: 9,
  CreateAlias: 10,
  MassTransfer: 11,
  Data: 12,
  SetScript: 13,
  SponsorFee: 14,
  SetAssetScript: 15,
  InvokeScript: 16,
  UpdateAssetInfo: 17,
  Ethereum: 18,
  CommitToGeneration: 19,
} as const;

export type TransactionType = (typeof TransactionType)[keyof typeof TransactionType];
