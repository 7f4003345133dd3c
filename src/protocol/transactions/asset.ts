/** Assets of balances, fees and payments. */

/** Id of an asset: the id of the transaction that issued it (32 bytes), or of an issue action of a script. */
export type AssetId = Uint8Array & { readonly __brand: "AssetId" };
/** An asset or, as null, the native token. */
export type Asset = AssetId | null;
