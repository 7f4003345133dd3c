-- Height of the transaction that set the script: its callables are known with the complexities of then.
ALTER TABLE account_script ADD COLUMN height INTEGER NOT NULL DEFAULT 0;
