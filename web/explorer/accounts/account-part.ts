/** Props of each tab of an account's page. */
export interface AccountPart {
  readonly address: string;
  /** Id of the last block; the tab is loaded again when it changes. */
  readonly tipId: string | undefined;
}
