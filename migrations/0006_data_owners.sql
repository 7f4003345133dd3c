-- Accounts that ever had a data entry, whether or not they still have one: what isDataStorageUntouched asks.
CREATE TABLE data_owner (
  address BLOB PRIMARY KEY
) WITHOUT ROWID;
