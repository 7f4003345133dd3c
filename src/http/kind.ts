/**
 * Kinds of values in paths and queries: text in, value out. A kind may say that its route does not take the request
 * after all (`mismatch`: the search goes on with the next route), or refuse the value by name (`ApiError`).
 */
export const mismatch: unique symbol = Symbol("mismatch");
export type Mismatch = typeof mismatch;

/** How one value is read; `chainId` tells which addresses belong to the network. */
export type Kind<Value> = (text: string, chainId: number) => Value | Mismatch;
