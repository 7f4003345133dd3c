-- Of calls of dApps: what they did, as protobuf InvokeScriptResult with what the call data of an Ethereum wallet meant;
-- NULL for other transactions, and where only the change set is known.
ALTER TABLE tx ADD COLUMN call_record BLOB;
