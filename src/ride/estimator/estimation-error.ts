/** The complexity of a script is unknown or too large; the message is the reference's. */
export class EstimationError extends Error {
  override readonly name = "EstimationError";
}
