/**
 * Draw of a generator for the block after the tip: the hit source that decides when it may sign, with the proof for the
 * block.
 * @source docs/protocol/consensus-and-finality.md 1.2; Waves: consensus/PoSSelector.scala (getHit, consensusData)
 */
import { LRUCache } from "lru-cache";
import { bytesKey } from "../../../src/crypto/bytes.ts";
import type { KeyPair } from "../../../src/crypto/identities.ts";
import type { RandomSource } from "../../../src/crypto/random.ts";
import { vrfDraw } from "../../../src/crypto/vrf.ts";
import { generationSignature } from "../../../src/rules/consensus/generation-signature.ts";
import { isVrfActive } from "../../../src/rules/consensus/hit.ts";
import { drawnHitSource, headerAt } from "../../../src/rules/consensus/next-block.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";

export interface GeneratorDraw {
  /** Value for the header; a proof is made on each call. */
  readonly generationSignature: () => Uint8Array;
  /** Hit source that the chain stores for later draws. */
  readonly hitSource: Uint8Array;
  /** Source whose first bytes are the hit. */
  readonly delaySource: Uint8Array;
}

/** A draw costs some milliseconds, and is needed after every micro-block. */
const CACHED_DRAWS = 256;

export class GeneratorDraws {
  readonly #random: RandomSource;
  readonly #vrfDraws = new LRUCache<string, GeneratorDraw>({ max: CACHED_DRAWS });

  constructor(random: RandomSource) {
    this.#random = random;
  }

  find(view: StateView, account: KeyPair): GeneratorDraw {
    const drawn = drawnHitSource(view);
    if (isVrfActive(view.height, view)) return this.#vrfDraw(account, drawn);
    const parent = headerAt(view, view.height);
    const signature = generationSignature(parent.header.generationSignature, account.publicKey);
    return {
      generationSignature: () => signature,
      hitSource: signature,
      delaySource: generationSignature(drawn, account.publicKey),
    };
  }

  forget(): void {
    this.#vrfDraws.clear();
  }

  #vrfDraw(account: KeyPair, drawn: Uint8Array): GeneratorDraw {
    const cacheKey = bytesKey(account.publicKey) + bytesKey(drawn);
    const cached = this.#vrfDraws.get(cacheKey);
    if (cached !== undefined) return cached;
    const { output, prove } = vrfDraw(account.privateKey, drawn);
    const draw: GeneratorDraw = {
      generationSignature: () => prove(this.#random(32)),
      hitSource: output,
      delaySource: output,
    };
    this.#vrfDraws.set(cacheKey, draw);
    return draw;
  }
}
