/** What each part of an account's page is given. */
export interface AccountPart {
  readonly address: string;
  /** Id of the last block: what is shown follows it. */
  readonly tipId: string | undefined;
}
