/** A script whose complexity cannot be told, or is too large; the message is the reference's. */
export class EstimationError extends Error {
  override readonly name = "EstimationError";
}
