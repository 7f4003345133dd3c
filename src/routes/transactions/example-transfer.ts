/** A signed transfer of the recorded chain, used in examples of the document. */
export const exampleTransfer = {
  type: 4,
  version: 3,
  chainId: 82,
  senderPublicKey: "C7NL1ngDhtGmzrUrjuaX9AQn5XF9cmDh9XGMQNwKvWhX",
  recipient: "3MNLh31RbGPLjoc9XXNLyRK3aD9HVsQVNtv",
  assetId: null,
  amount: 28,
  fee: 20,
  feeAssetId: "BHedF3cDGDfudUtC3KzsrpHpxFRRoP5nCoEmf2JKg3F3",
  timestamp: 1_795_223_867_108,
  attachment: "",
  proofs: ["43GmiW8SzvVaaUZDx5U8fKVnQQ8vJ1jXnXwDPsW4RsruDm7ZAGUej449k8jXgPtBRWRA2JV9LeS1WqU1EskEjxA1"],
} as const;

export const exampleTransferId = "BDPFaKBnRdtXEj9fMsxLASUpN8FnFo6KsQSxk5gF7jkE";
