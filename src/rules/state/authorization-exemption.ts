/**
 * Accounts whose transactions are accepted without authorization. Only the wiring of a dev chain can make one; a view without
 * one exempts nobody, and no other view has a place to get one from.
 */
import type { Address } from "../../crypto/identities.ts";
import type { NetworkSettings } from "../../network/settings.ts";

export class AuthorizationExemption {
  /** A private field makes the type one of its own: nothing else passes for it. */
  readonly #covers: (account: Address) => boolean;

  private constructor(covers: (account: Address) => boolean) {
    this.#covers = covers;
  }

  /**
   * @param covers asked anew for each transaction
   * @throws Error when the network is no dev chain
   */
  static ofDevChain(
    { isDevChain, name }: Pick<NetworkSettings, "isDevChain" | "name">,
    covers: (account: Address) => boolean,
  ): AuthorizationExemption {
    if (isDevChain !== true) throw new Error(`${name} is no dev chain: nobody is exempt from authorization`);
    return new AuthorizationExemption(covers);
  }

  /** Whether what the account sends needs no authorization. */
  covers(account: Address): boolean {
    return this.#covers(account);
  }
}
