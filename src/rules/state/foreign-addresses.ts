/**
 * Addresses that scripts name and that not every caller takes. The reference caches parsed addresses by their bytes alone, while its
 * callers expect the own chain, another one, or any: the first caller decides what all others get, for the process.
 * @see docs/decisions/0070-addresses-of-other-chains.md
 * @source Waves: account/Recipient.scala (Address.fromBytes)
 */
import type { AddressFault } from "../../crypto/address.ts";
import { type BytesKey, bytesKey } from "../../crypto/bytes.ts";
import type { Address } from "../../crypto/identities.ts";
import { WorkRefused } from "../../ride/work-refused.ts";

/** A caller with an address of a chain that not all callers expect. */
export interface AddressCaller {
  /** Chain that the caller expects; undefined: any. */
  readonly expectedChainId: number | undefined;
  /** Whether the caller gets the address where nothing is cached in the block. */
  readonly takes: boolean;
  /** Whether what it does depends on the result, or what callers of the own chain do later. */
  readonly matters: boolean;
}

export interface ForeignAddresses {
  /** Whether the address counts as one to the caller. @throws WorkRefused */
  counts(address: Address, caller: AddressCaller): boolean;
  /** Why an address of the own chain is none to callers who expect that; undefined: it is one. Costs nothing where no caller was refused. */
  refusalOf(address: Address): AddressFault | undefined;
}

/** The first result holds for all callers. */
export class FirstVerdicts implements ForeignAddresses {
  readonly #accepted = new Set<BytesKey>();
  readonly #refused = new Map<BytesKey, AddressFault>();
  readonly #before: boolean | undefined;
  /** Whether anything depended on a result: a node that has seen other callers before may have given another one. */
  hasMattered = false;

  /** @param before what was said of every address before; undefined: nobody has asked */
  constructor(before?: boolean) {
    this.#before = before;
  }

  counts(address: Address, { expectedChainId, takes, matters }: AddressCaller): boolean {
    if (matters) this.hasMattered = true;
    const key = bytesKey(address);
    if (this.#accepted.has(key)) return true;
    if (this.#refused.has(key)) return false;
    const counts = this.#before ?? takes;
    const [, chainId] = address as unknown as readonly [number, number];
    if (counts) this.#accepted.add(key);
    else
      this.#refused.set(key, { code: "addressOfAnotherChain", chainId, expectedChainId: expectedChainId ?? chainId });
    return counts;
  }

  refusalOf(address: Address): AddressFault | undefined {
    return this.#refused.size === 0 ? undefined : this.#refused.get(bytesKey(address));
  }
}

/** Of the pool and of own blocks: nothing that other nodes may be told otherwise comes from here. */
export const refusedForeignAddresses: ForeignAddresses = {
  counts(_, { takes, matters }) {
    if (matters)
      throw new WorkRefused("a script asks for an address of another chain, of which nodes think differently");
    return takes;
  },
  refusalOf: () => undefined,
};
