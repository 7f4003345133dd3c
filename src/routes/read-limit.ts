/**
 * Size of one read of a long list, and so of its buffer. Transactions count in the form in which they are read: JSON,
 * and bytes if needed. Blocks count by their bytes; as JSON they take several times as much, and an isolate has 128 MB
 * for all its requests.
 */
export const readLimitBytes = 2 ** 21;

/**
 * Total for a short list of transactions, of which each may use an equal share. All of them together hardly ever do; if
 * so, they take as much as blocks of `readLimitBytes` as JSON.
 */
export const sharedLimitBytes = 3 * readLimitBytes;
