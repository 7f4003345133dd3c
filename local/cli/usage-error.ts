/** Error that the user can correct: printed as one message without a stack trace, exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
