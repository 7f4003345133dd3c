/**
 * A native function would take seconds, and nobody's block depends on what it gives: questions of clients, and what this
 * node takes into its pool and its own blocks. A block of others is computed, whatever it takes.
 * @see docs/decisions/0067-bounds-on-client-chosen-work.md
 */
export class WorkRefused extends Error {
  override readonly name: string = "WorkRefused";
}
