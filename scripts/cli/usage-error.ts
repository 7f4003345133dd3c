/** Something the person at the keyboard can put right: shown as one sentence, without a stack trace, exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
