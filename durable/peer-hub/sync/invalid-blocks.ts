/** Blocks that broke a rule, with the reason. @source Waves: network/InvalidBlockStorage.scala */
import { bytesKey } from "../../../src/crypto/bytes.ts";
import type { SynchronizationSettings } from "../../../src/network/peer-settings.ts";
import { ExpiringMap } from "../expiring-map.ts";

export class InvalidBlocks {
  readonly #reasons: ExpiringMap<string>;

  constructor({ maxSize, timeoutMs }: SynchronizationSettings["invalidBlocksStorage"], nowMs: () => number) {
    this.#reasons = new ExpiringMap({ ttlMs: timeoutMs, maxSize, nowMs });
  }

  add(id: Uint8Array, reason: string): void {
    this.#reasons.set(bytesKey(id), reason);
  }

  findReason(id: Uint8Array): string | undefined {
    return this.#reasons.get(bytesKey(id));
  }
}
