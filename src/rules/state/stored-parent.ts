/**
 * Parent of a block whose transactions came in micro-blocks: it was stored by then. Transactions of the key block
 * itself see its liquid form.
 * @see docs/decisions/0069-data-of-the-liquid-block.md
 */
export class StoredParent {
  /** Whether anything depended on its form. */
  hasMattered = false;
}
