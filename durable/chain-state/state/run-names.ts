/** Rows of `meta` about the process that works on the database, not about the chain. */

/** The start of the runner for which the node mines. */
export const MINING_FOR = "miningFor";
/** The deployment, or the start, for which the owner has stopped the node. */
export const STOPPED_FOR = "stoppedFor";
