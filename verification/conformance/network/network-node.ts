/** A node among others, of whatever kind, as the scenarios see it. */
import type { NodeKind, ShortNetwork } from "./short-network.ts";

export interface NetworkNode {
  /** The kind, and a number where there are several. */
  readonly name: string;
  readonly kind: NodeKind;
  /** Of the REST interface; may be another one after a start. */
  readonly url: string;
  /** Where it listens to peers, `host:port`. */
  readonly peerAddress: string;
  /** Where others are told to connect to. */
  readonly declaredAddress: string;
  /** What it wrote, all starts together. */
  readonly logFile: string;
  /** Starts it with what it has in its folder, and waits until it answers. */
  start(): Promise<void>;
  /** Asks it to end, and waits until it has. */
  stop(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
}

/** What a node is started with. */
export interface NodePlan {
  readonly network: ShortNetwork;
  /** Empty folder for its settings, state and logs. */
  readonly folder: string;
  readonly name: string;
  readonly restPort: number;
  readonly peerPort: number;
  /** Where others are told to connect to. */
  readonly declaredAddress: string;
  /** Whom it seeks, `host:port`. */
  readonly peers: readonly string[];
  readonly isMining: boolean;
  /** Takes change sets of others instead of running transactions. */
  readonly isLight?: boolean;
  /** Peers without which it does not forge. */
  readonly quorum?: number;
}

export const loopback = "127.0.0.1";

/** Times at which a private network on one machine is kept going: a peer that was cut off is sought again at once. */
export const peerTimes = { suspension: "1s", blacklist: "15s", broadcast: "5s" } as const;
