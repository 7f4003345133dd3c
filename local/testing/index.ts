/** Nodes for testing dApps. */
export type { DevAccount } from "./accounts.ts";
export type { DataEntries, DataEntry, DataValue } from "./data-entries.ts";
export { type Amount, type ChainPoint, DevClient, type DevClientOptions, type DevStatus } from "./dev-client.ts";
export type { DevNode } from "./dev-node.ts";
export { DevNodeError } from "./dev-node-error.ts";
export type { SharedNode, SharedNodeOptions } from "./shared-node.ts";
export { type NodeOptions, startNode } from "./start-node.ts";
