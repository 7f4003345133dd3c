/** A node of any kind in a scenario's network. */
import type { NodeKind, ShortNetwork } from "./short-network.ts";

export interface NetworkNode {
  /** The kind, with a number if there are several. */
  readonly name: string;
  readonly kind: NodeKind;
  /** URL of the REST interface; may change after a restart. */
  readonly url: string;
  /** P2P listen address, `host:port`. */
  readonly peerAddress: string;
  /** Address that other nodes connect to. */
  readonly declaredAddress: string;
  /** Output of the node, from all starts together. */
  readonly logFile: string;
  /** Starts the node on the content of its folder, and waits until it responds. */
  start(): Promise<void>;
  /** Stops the node gracefully, and waits for its end. */
  stop(): Promise<void>;
  /** Kills the node (SIGKILL). */
  kill(): Promise<void>;
}

/** Start options of a node. */
export interface NodePlan {
  readonly network: ShortNetwork;
  /** Empty folder for its settings, state and logs. */
  readonly folder: string;
  readonly name: string;
  readonly restPort: number;
  readonly peerPort: number;
  /** Address that other nodes connect to. */
  readonly declaredAddress: string;
  /** Peers that it connects to, `host:port`. */
  readonly peers: readonly string[];
  readonly isMining: boolean;
  /** Whether it applies state snapshots of others instead of running transactions. */
  readonly isLight?: boolean;
  /** Number of peers without which it does not forge. */
  readonly quorum?: number;
}

export const loopback = "127.0.0.1";

/** Short times for a private network on one machine: a disconnected peer is dialled again at once. */
export const peerTimes = { suspension: "1s", blacklist: "15s", broadcast: "5s" } as const;
