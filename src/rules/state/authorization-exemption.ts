/**
 * Accounts whose transactions are accepted without authorization. Only the wiring of a dev chain can create one; a view
 * without one exempts no account.
 */
import type { Address } from "../../crypto/identities.ts";
import type { NetworkSettings } from "../../network/settings.ts";

export class AuthorizationExemption {
  /** The private field makes the type nominal: no other object is assignable to it. */
  readonly #covers: (account: Address) => boolean;

  private constructor(covers: (account: Address) => boolean) {
    this.#covers = covers;
  }

  /**
   * @param covers called for each transaction
   * @throws Error when the network is no dev chain
   */
  static ofDevChain(
    { isDevChain, name }: Pick<NetworkSettings, "isDevChain" | "name">,
    covers: (account: Address) => boolean,
  ): AuthorizationExemption {
    if (isDevChain !== true) throw new Error(`${name} is no dev chain: no account is exempt from authorization`);
    return new AuthorizationExemption(covers);
  }

  /** Whether the account's transactions need no authorization. */
  covers(account: Address): boolean {
    return this.#covers(account);
  }
}
