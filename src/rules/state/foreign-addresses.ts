/**
 * Addresses of other chains in scripts, which not every caller accepts. The reference caches parsed addresses by their
 * bytes alone, although its callers expect the own chain, another one, or any. The result of the first caller holds for
 * all others in the process.
 * @source Waves: account/Recipient.scala (Address.fromBytes)
 * @see docs/decisions/0070-addresses-of-other-chains.md
 */
import type { AddressError } from "../../crypto/address.ts";
import { type BytesKey, bytesKey } from "../../crypto/bytes.ts";
import type { Address } from "../../crypto/identities.ts";
import { WorkRefused } from "../../ride/work-refused.ts";

/** Caller with an address of a chain that not all callers expect. */
export interface AddressCaller {
  /** Chain that the caller expects; undefined for any. */
  readonly expectedChainId: number | undefined;
  /** Whether the caller accepts the address if the block has no cached result. */
  readonly takes: boolean;
  /** Whether the result matters, to this caller or to later callers of the own chain. */
  readonly matters: boolean;
}

export interface ForeignAddresses {
  /** Whether the address is valid for the caller. @throws WorkRefused */
  counts(address: Address, caller: AddressCaller): boolean;
  /**
   * Reason why an address of the own chain is invalid for callers that expect that chain; undefined for a valid one.
   * Free if no caller was refused.
   */
  refusalOf(address: Address): AddressError | undefined;
}

/** Stored results of `FirstVerdicts`. */
export interface VerdictsState {
  readonly accepted: readonly BytesKey[];
  readonly refused: readonly (readonly [BytesKey, AddressError])[];
  readonly hasMattered: boolean;
}

/** Cache in which the first result holds for all callers. */
export class FirstVerdicts implements ForeignAddresses {
  readonly #accepted = new Set<BytesKey>();
  readonly #refused = new Map<BytesKey, AddressError>();
  readonly #before: boolean | undefined;
  /** Whether anything depended on a result: a node with other earlier callers may have given another one. */
  hasMattered = false;

  /** @param before earlier result for every address; undefined without an earlier caller */
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

  /** Results so far. */
  get state(): VerdictsState {
    return { accepted: [...this.#accepted], refused: [...this.#refused], hasMattered: this.hasMattered };
  }

  /** Continues with stored results. */
  restore({ accepted, refused, hasMattered }: VerdictsState): void {
    for (const key of accepted) this.#accepted.add(key);
    for (const [key, fault] of refused) this.#refused.set(key, fault);
    this.hasMattered = hasMattered;
  }

  refusalOf(address: Address): AddressError | undefined {
    return this.#refused.size === 0 ? undefined : this.#refused.get(bytesKey(address));
  }
}

/** For the pool and own blocks: refuses results that may differ on other nodes. */
export const refusedForeignAddresses: ForeignAddresses = {
  counts(_, { takes, matters }) {
    if (matters) throw new WorkRefused("a script checks an address of another chain, on which nodes disagree");
    return takes;
  },
  refusalOf: () => undefined,
};
