/** Stored data about other nodes. */

/**
 * `place`: `ip:port` of a known peer, `ip` of a blacklisted or suspended host. `reason`: of a blacklisted host, or the
 * mark of a proven peer; else empty.
 */
export interface PeerRow {
  readonly kind: "known" | "blacklisted" | "suspended";
  readonly place: string;
  /** Time when the peer was last seen, or the host was refused, ms since the epoch. */
  readonly timeMs: number;
  readonly reason: string;
}

/** Rows by kind and place. */
export interface PeerStorage {
  /** All rows, oldest first. */
  rows(): readonly PeerRow[];
  put(row: PeerRow): void;
  remove(kind: PeerRow["kind"], place: string): void;
}
