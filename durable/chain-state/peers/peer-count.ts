/** Time without an update after which the count reads as 0, ms: PeerHub may be down. */
const COUNT_TTL_MS = 120_000;

/** Number of connected nodes, which PeerHub reports repeatedly. */
export class PeerCount {
  readonly #nowMs: () => number;
  #peers = 0;
  #updatedMs = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  get peers(): number {
    return Math.abs(this.#nowMs() - this.#updatedMs) < COUNT_TTL_MS ? this.#peers : 0;
  }

  set peers(peers: number) {
    this.#peers = peers;
    this.#updatedMs = this.#nowMs();
  }
}
