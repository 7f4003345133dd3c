/**
 * A native function would take seconds, and its result is not part of block validation: in requests of clients, and for
 * transactions in this node's pool and its own blocks. For a peer's block it is computed in any case.
 * @see docs/decisions/0067-bounds-on-client-chosen-work.md
 */
export class WorkRefused extends Error {
  override readonly name: string = "WorkRefused";
}
