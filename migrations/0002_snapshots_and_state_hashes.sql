-- The change set of a transaction as protobuf TransactionStateSnapshot; NULL where the node does not keep it.
ALTER TABLE tx ADD COLUMN snapshot BLOB;

-- Only on nodes that keep them. total: over the parent's total and the sections; sections: their hashes in order, 32
-- bytes each; snapshot_hash: the state hash of feature 22. The tip's row changes with its micro-blocks.
CREATE TABLE state_hash (
  height INTEGER PRIMARY KEY,
  total BLOB NOT NULL,
  sections BLOB NOT NULL,
  snapshot_hash BLOB NOT NULL
);
