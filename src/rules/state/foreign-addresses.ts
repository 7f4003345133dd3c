/**
 * Addresses of other chains, which scripts may name. The reference remembers parsed addresses by their bytes alone, while some of its
 * callers take those of any chain and others its own alone: whoever asks first decides what all others are told, for the process.
 * @see docs/decisions/0070-addresses-of-other-chains.md
 * @source Waves: account/Recipient.scala (Address.fromBytes)
 */
import { type BytesKey, bytesKey } from "../../crypto/bytes.ts";
import type { Address } from "../../crypto/identities.ts";
import { WorkRefused } from "../../ride/work-refused.ts";

/** Who asks whether the bytes are an address. */
export interface AddressCaller {
  /** Whether it takes addresses of any chain, as long as nobody has said otherwise. */
  readonly takesAny: boolean;
  /** Whether what it does depends on what it is told. */
  readonly matters: boolean;
}

export interface ForeignAddresses {
  /** Whether the address, of another chain, is one to the caller. @throws WorkRefused */
  counts(address: Address, caller: AddressCaller): boolean;
}

/** What the first one was told, all others are. */
export class FirstVerdicts implements ForeignAddresses {
  readonly #verdicts = new Map<BytesKey, boolean>();
  readonly #before: boolean | undefined;
  /** Whether anything depended on a verdict: a node that has seen other callers before may have told something else. */
  hasMattered = false;

  /** @param before what was said of every address before; undefined: nobody has asked */
  constructor(before?: boolean) {
    this.#before = before;
  }

  counts(address: Address, { takesAny, matters }: AddressCaller): boolean {
    if (matters) this.hasMattered = true;
    const key = bytesKey(address);
    const verdict = this.#verdicts.get(key) ?? this.#before ?? takesAny;
    this.#verdicts.set(key, verdict);
    return verdict;
  }
}

/** Of the pool and of own blocks: nothing that other nodes may be told otherwise comes from here. */
export const refusedForeignAddresses: ForeignAddresses = {
  counts(_, { takesAny, matters }) {
    if (matters)
      throw new WorkRefused("a script asks for an address of another chain, of which nodes think differently");
    return takesAny;
  },
};
