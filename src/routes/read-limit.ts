/**
 * Blocks or transactions of a long list that are read, and held in memory, at a time: bytes as stored. As JSON they take
 * several times as much, and an isolate has 128 MB for all its requests.
 */
export const readLimitBytes = 2 ** 21;
