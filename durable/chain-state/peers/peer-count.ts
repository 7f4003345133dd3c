/** The count reads as 0 after this many ms without an update, since PeerHub may be down. */
const COUNT_HOLDS_MS = 120_000;

/** Number of connected nodes, which PeerHub reports repeatedly. */
export class PeerCount {
  readonly #nowMs: () => number;
  #peers = 0;
  #saidMs = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  get peers(): number {
    return Math.abs(this.#nowMs() - this.#saidMs) < COUNT_HOLDS_MS ? this.#peers : 0;
  }

  set peers(peers: number) {
    this.#peers = peers;
    this.#saidMs = this.#nowMs();
  }
}
