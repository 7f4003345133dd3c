/** Two readings for one response have shown two states of the chain: the response must be built again, or refused. */
export class StateChanged extends Error {
  override readonly name = "StateChanged";
}
