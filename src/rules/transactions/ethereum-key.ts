/**
 * Keys recovered from Ethereum signatures.
 * @source Waves: state/diffs/{ExchangeTransactionDiff,EthereumTransactionDiff}.scala
 */

/** Whether the key as a signed number is shorter than 64 bytes: older nodes dropped the zeros. */
export function isShortEthereumKey(key: Uint8Array): boolean {
  return key[0] === 0 && (key[1] ?? 0) < 0x80;
}
