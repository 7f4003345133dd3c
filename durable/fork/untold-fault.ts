/** A fork cannot know it, whoever is asked. The message is a sentence for whoever wants to know. */
export class UntoldFault extends Error {
  override readonly name = "UntoldFault";
}
