/** How databases of version 1 are known: releases before there were versions left nothing that says so. */

/** What ChainState's `meta` has in its row `layout`. */
export const FIRST_LAYOUT = "06f672e2e507d35e";

/** Files from which wrangler made the read model, as its table `d1_migrations` names them. */
export const firstReadModelFiles: readonly string[] = [
  "0001_read_model.sql",
  "0002_snapshots_and_state_hashes.sql",
  "0003_call_records.sql",
  "0004_account_script_height.sql",
  "0005_lists.sql",
  "0006_data_owners.sql",
];
