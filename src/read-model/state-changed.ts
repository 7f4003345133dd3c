/** Two readings of one answer have shown two states of the chain: the answer is to be made anew, or refused. */
export class StateChanged extends Error {
  override readonly name = "StateChanged";
}
