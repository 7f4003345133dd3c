/** After this time without word of them, ms, there are no peers: whoever speaks with them may be gone. */
const COUNT_HOLDS_MS = 120_000;

/** With how many nodes there is a connection. Whoever has the connections says it again and again. */
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
