/**
 * What is read of a long list, and held in memory, at a time. Transactions count as they are read: their JSON, their bytes where
 * they are made of these. Blocks count by their own bytes; as JSON they take several times as much, and an isolate has 128 MB for
 * all its requests.
 */
export const readLimitBytes = 2 ** 21;
