/**
 * What is read of a long list, and held in memory, at a time. Transactions count as they are read: their JSON, their bytes where
 * they are made of these. Blocks count by their own bytes; as JSON they take several times as much, and an isolate has 128 MB for
 * all its requests.
 */
export const readLimitBytes = 2 ** 21;

/**
 * Of a short list of transactions each may have its equal share of so much. All of them together hardly ever do: then it is what blocks of
 * `readLimitBytes` take as JSON.
 */
export const sharedLimitBytes = 3 * readLimitBytes;
