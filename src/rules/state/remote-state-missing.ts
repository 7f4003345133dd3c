import type { RemoteStateKey } from "../../network/remote-state-key.ts";
import { remoteStateKeyName } from "../../network/remote-state-key.ts";

/**
 * A fork needs state that it does not have yet. This is no error of the client: the caller fetches the state and
 * repeats the request.
 */
export class RemoteStateMissing extends Error {
  override readonly name = "RemoteStateMissing";
  readonly keys: readonly RemoteStateKey[];

  constructor(keys: readonly RemoteStateKey[]) {
    super(`the fork does not know yet: ${keys.map(remoteStateKeyName).join(", ")}`);
    this.keys = keys;
  }
}
