-- Read model: the published tables of ChainState, row for row (a test compares both). Amounts are 64-bit INTEGERs:
-- read them with CAST(column AS TEXT), they may pass 2^53. Ids, keys and addresses are raw bytes.

-- One row: which state the other tables show. `version` is the tip's block id (base58) and the number of its
-- micro-blocks; `epoch` grows when a block that could have been called final was taken back by hand.
CREATE TABLE chain (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  height INTEGER NOT NULL,
  published_at INTEGER NOT NULL
);

-- Header: the block's bytes without transactions. reward: before boost, NULL before feature 14.
-- reward_shares: (address 26 bytes, amount 8 bytes big-endian) repeated, boost included, by address bytes.
CREATE TABLE block (
  height INTEGER PRIMARY KEY,
  id BLOB NOT NULL,
  header BLOB NOT NULL,
  timestamp INTEGER NOT NULL,
  generator BLOB NOT NULL,
  size_bytes INTEGER NOT NULL,
  transaction_count INTEGER NOT NULL,
  total_fee INTEGER NOT NULL,
  reward INTEGER,
  reward_vote INTEGER NOT NULL,
  reward_shares BLOB NOT NULL,
  vrf BLOB,
  waves_amount INTEGER NOT NULL
);
CREATE UNIQUE INDEX block_by_id ON block (id);
CREATE INDEX block_by_timestamp ON block (timestamp);
CREATE INDEX block_by_generator ON block (generator, height);

-- bytes: as in the block (legacy binary below version 5, else protobuf). status: 0 succeeded, 1 failed, 2 elided.
CREATE TABLE tx (
  id BLOB PRIMARY KEY,
  height INTEGER NOT NULL,
  position INTEGER NOT NULL,
  type INTEGER NOT NULL,
  status INTEGER NOT NULL,
  spent_complexity INTEGER NOT NULL,
  bytes BLOB NOT NULL
);
CREATE UNIQUE INDEX tx_by_place ON tx (height, position);

CREATE TABLE tx_address (
  address BLOB NOT NULL,
  height INTEGER NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (address, height, position)
) WITHOUT ROWID;

CREATE TABLE account (
  address BLOB PRIMARY KEY,
  balance INTEGER NOT NULL,
  lease_in INTEGER NOT NULL,
  lease_out INTEGER NOT NULL
) WITHOUT ROWID;

-- A row holds from its height on, until the account's next row.
CREATE TABLE balance_history (
  address BLOB NOT NULL,
  height INTEGER NOT NULL,
  balance INTEGER NOT NULL,
  lease_in INTEGER NOT NULL,
  lease_out INTEGER NOT NULL,
  PRIMARY KEY (address, height)
) WITHOUT ROWID;

CREATE TABLE asset_balance (
  address BLOB NOT NULL,
  asset BLOB NOT NULL,
  balance INTEGER NOT NULL,
  PRIMARY KEY (address, asset)
) WITHOUT ROWID;

-- volume is decimal text: the oldest assets pass 64 bits.
CREATE TABLE asset (
  id BLOB PRIMARY KEY,
  issuer BLOB NOT NULL,
  origin_tx BLOB NOT NULL,
  issue_height INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  decimals INTEGER NOT NULL,
  nft INTEGER NOT NULL,
  volume TEXT NOT NULL,
  reissuable INTEGER NOT NULL,
  name BLOB NOT NULL,
  description BLOB NOT NULL,
  text_height INTEGER NOT NULL,
  script BLOB,
  script_complexity INTEGER NOT NULL,
  min_sponsored_fee INTEGER NOT NULL
) WITHOUT ROWID;

-- status: 0 active, 1 canceled, 2 expired.
CREATE TABLE lease (
  id BLOB PRIMARY KEY,
  sender BLOB NOT NULL,
  recipient BLOB NOT NULL,
  amount INTEGER NOT NULL,
  origin_tx BLOB NOT NULL,
  height INTEGER NOT NULL,
  status INTEGER NOT NULL,
  cancel_height INTEGER,
  cancel_tx BLOB
) WITHOUT ROWID;

CREATE TABLE alias (
  name TEXT PRIMARY KEY,
  address BLOB NOT NULL
) WITHOUT ROWID;

-- value: a tag (0 integer, 1 boolean, 2 binary, 3 string), then 8 bytes, 1 byte, the bytes, or UTF-8.
CREATE TABLE data_entry (
  address BLOB NOT NULL,
  key TEXT NOT NULL,
  value BLOB NOT NULL,
  PRIMARY KEY (address, key)
) WITHOUT ROWID;

CREATE TABLE account_script (
  address BLOB PRIMARY KEY,
  public_key BLOB NOT NULL,
  script BLOB NOT NULL,
  verifier_complexity INTEGER NOT NULL
) WITHOUT ROWID;

-- Features approved or preactivated, and the votes of each voting window.
CREATE TABLE feature (
  id INTEGER PRIMARY KEY,
  activation_height INTEGER NOT NULL
);
CREATE TABLE feature_vote (
  feature INTEGER NOT NULL,
  window_start INTEGER NOT NULL,
  votes INTEGER NOT NULL,
  PRIMARY KEY (feature, window_start)
) WITHOUT ROWID;
