-- What the interface lists in the order in which it came to be.

-- Accounts in the order in which the chain saw them first: from 1 on.
CREATE TABLE account_number (
  address BLOB PRIMARY KEY,
  number INTEGER NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX account_by_number ON account_number (number);

-- A row holds from its height on, until the holder's next row. holder: an account's number.
CREATE TABLE asset_balance_history (
  asset BLOB NOT NULL,
  holder INTEGER NOT NULL,
  height INTEGER NOT NULL,
  balance INTEGER NOT NULL,
  PRIMARY KEY (asset, holder, height)
) WITHOUT ROWID;

-- Every NFT that an account ever had, numbered in the order in which accounts got theirs first.
CREATE TABLE account_nft (
  address BLOB NOT NULL,
  asset BLOB NOT NULL,
  number INTEGER NOT NULL,
  is_held INTEGER NOT NULL,
  PRIMARY KEY (address, asset)
) WITHOUT ROWID;
CREATE INDEX account_nft_held ON account_nft (address, number) WHERE is_held = 1;

-- Active leases of their sender and of their recipient.
CREATE TABLE account_lease (
  address BLOB NOT NULL,
  lease BLOB NOT NULL,
  height INTEGER NOT NULL,
  number INTEGER NOT NULL,
  PRIMARY KEY (address, lease)
) WITHOUT ROWID;
CREATE INDEX account_lease_by_height ON account_lease (address, height DESC, number);

-- Names that an account has taken.
CREATE TABLE account_alias (
  address BLOB NOT NULL,
  number INTEGER NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (address, number)
) WITHOUT ROWID;

-- Who holds an asset now.
CREATE INDEX asset_holder ON asset_balance (asset, address) WHERE balance > 0;
