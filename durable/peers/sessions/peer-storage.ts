/** What of other nodes outlives the process. */

/** `place`: of a known peer `ip:port`, of a host that is shut out its `ip`. `reason`: of a blacklisted one; else empty. */
export interface PeerRow {
  readonly kind: "known" | "blacklisted" | "suspended";
  readonly place: string;
  /** When it was seen last, or shut out, ms since the epoch. */
  readonly timeMs: number;
  readonly reason: string;
}

/** Rows by their kind and place. */
export interface PeerStorage {
  /** All of them, the oldest first. */
  rows(): readonly PeerRow[];
  put(row: PeerRow): void;
  remove(kind: PeerRow["kind"], place: string): void;
}
