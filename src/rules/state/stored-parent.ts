/**
 * The parent of a block whose transactions came in micro-blocks: it had been stored by then. Transactions that a key block has of its
 * own see it in its liquid form.
 * @see docs/decisions/0069-data-of-the-liquid-block.md
 */
export class StoredParent {
  /** Whether anything depended on its form. */
  hasMattered = false;
}
