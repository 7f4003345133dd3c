/** Groups of endpoints, in the order in which the document lists them. */
export const tags = {
  addresses: "Accounts: balances, data, scripts; the node's wallet.",
  alias: "Names of accounts.",
  assets: "Assets, their holders, NFTs.",
  blocks: "Blocks and their headers.",
  transactions: "Transactions of the chain and of the pool; broadcasting, signing.",
  leasing: "Leases.",
  blockchain: "Chain-wide data: rewards, finality.",
  activation: "Features and the votes for them.",
  eth: "Ethereum's tools: JSON-RPC and ABI.",
  utils: "Scripts, hashes, seeds, time.",
  debug: "Validation, state hashes, histories; the owner's tools.",
  peers: "Other nodes.",
  wallet: "The wallet as a whole.",
  node: "This node.",
  dev: "Controls of a dev chain: blocks, time, state.",
} as const;

export type Tag = keyof typeof tags;
