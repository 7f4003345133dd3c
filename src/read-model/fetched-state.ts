/**
 * State of the source network that a fork has fetched into the read model. A query fetches the remote state that it
 * depends on first, so that nothing counts as absent merely because it was never fetched.
 */
import type { ForkFetchResult } from "../env.ts";
import { type RemoteStateKey, remoteStateKeyName } from "../network/remote-state-key.ts";
import type { Chain } from "./chain.ts";

/** Maximum of remembered names of remote state keys. */
const MAX_REMEMBERED = 20_000;

/** Remote state that a query needs and that could not be fetched. */
export class RemoteStateUnavailable extends Error {
  override readonly name = "RemoteStateUnavailable";
  /** Whether no node serves it; otherwise a retry may help. */
  readonly isUnsupported: boolean;

  constructor(sentence: string, { isUnsupported }: { readonly isUnsupported: boolean }) {
    super(sentence);
    this.isUnsupported = isUnsupported;
  }
}

export class FetchedState {
  /** Chain and epoch of the known keys: if either changes, a rollback may have removed fetched state. */
  #of = "";
  readonly #known = new Set<string>();

  /** Keys that are not known to be in the state. */
  missingIn(chain: Chain, remoteKeys: readonly RemoteStateKey[]): readonly RemoteStateKey[] {
    return remoteKeys.filter(
      (remoteKey) => chainName(chain) !== this.#of || !this.#known.has(remoteStateKeyName(remoteKey)),
    );
  }

  /** @param fetch requests keys from the fork @throws RemoteStateUnavailable; errors of `bring` */
  async fetch(
    chain: Chain,
    remoteKeys: readonly RemoteStateKey[],
    fetch: (remoteKeys: RemoteStateKey[]) => Promise<ForkFetchResult>,
  ): Promise<void> {
    const result = await fetch([...remoteKeys]);
    if (result.kind !== "known")
      throw new RemoteStateUnavailable(result.message, { isUnsupported: result.kind === "untold" });
    const name = chainName(chain);
    if (name !== this.#of || this.#known.size > MAX_REMEMBERED) this.#known.clear();
    this.#of = name;
    for (const remoteKey of remoteKeys) this.#known.add(remoteStateKeyName(remoteKey));
  }
}

function chainName({ identity, epoch }: Chain): string {
  return `${identity}/${epoch}`;
}
