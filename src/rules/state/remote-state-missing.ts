import type { RemoteFact } from "../../network/remote-state-key.ts";
import { factName } from "../../network/remote-state-key.ts";

/**
 * A fork needs state that it does not have yet. This is no error of the client: the caller fetches the state and
 * repeats the request.
 */
export class RemoteStateMissing extends Error {
  override readonly name = "RemoteStateMissing";
  readonly facts: readonly RemoteFact[];

  constructor(facts: readonly RemoteFact[]) {
    super(`the fork does not know yet: ${facts.map(factName).join(", ")}`);
    this.facts = facts;
  }
}
