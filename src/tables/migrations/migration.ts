/** A change of the stored tables, with the statements that carry it out on databases of the version before. */
export interface Migration {
  /** Version of the schema that it leads to. */
  readonly version: number;
  readonly title: string;
  /**
   * For ChainState's own database. Frozen: databases of users went through exactly these. A test prints what is missing
   * when the declared tables are ahead of the migrations.
   */
  readonly object: readonly string[];
  /** For the read model. */
  readonly readModel: readonly string[];
}
