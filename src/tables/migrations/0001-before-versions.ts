/** Identification of databases of version 1: releases at that time stored no version. */

/** Value of row `layout` in ChainState's `meta`. */
export const FIRST_LAYOUT = "06f672e2e507d35e";

/** Files with which wrangler created the read model, as listed in its table `d1_migrations`. */
export const firstReadModelFiles: readonly string[] = [
  "0001_read_model.sql",
  "0002_snapshots_and_state_hashes.sql",
  "0003_call_records.sql",
  "0004_account_script_height.sql",
  "0005_lists.sql",
  "0006_data_owners.sql",
];
