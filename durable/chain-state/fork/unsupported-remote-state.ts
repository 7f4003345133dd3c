/** State that a fork cannot know, since no node returns it. The message is for the client. */
export class UnsupportedRemoteState extends Error {
  override readonly name = "UnsupportedRemoteState";
}
