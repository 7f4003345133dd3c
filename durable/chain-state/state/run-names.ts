/** Rows of `meta` about the process that works on the database, not about the chain. */

/** Name of the row with the start of the runner for which the node mines. */
export const MINING_FOR = "miningFor";
/** Name of the row with the deployment, or the start, for which the owner has stopped the node. */
export const STOPPED_FOR = "stoppedFor";
