/**
 * Text with its characters decomposed (NFKD), in a time that grows with its length alone: the platform puts each mark of a run in its
 * place by going back over those that belong behind it.
 * @source Unicode 3.11, Canonical Ordering Algorithm
 */

/** Two letters are marks once they are decomposed. */
const longRuns = /[\p{M}\uff9e\uff9f]{33,}/gu;
/** Of the highest class that a mark can have, and the only one of it. */
const lastMark = "\u0345";

/** As `text.normalize("NFKD")`. */
export function decomposed(text: string): string {
  // What stands before a long run keeps its own marks: they belong to the run.
  return text.replaceAll(longRuns, inOrder).normalize("NFKD");
}

/** The run decomposed, its marks in their canonical order. */
function inOrder(run: string): string {
  const marks = Array.from(run, (mark) => mark.normalize("NFKD")).join("");
  let ordered = "";
  let classes = new MarkClasses();
  for (const mark of marks) {
    if (isReordered(mark)) {
      classes.add(mark);
      continue;
    }
    ordered += classes.text + mark;
    classes = new MarkClasses();
  }
  return ordered + classes.text;
}

/** Marks by their class, those of one class in the order in which they came. */
class MarkClasses {
  /** Lowest class first. */
  readonly #classes: string[][] = [];
  readonly #classOf = new Map<string, string[]>();

  add(mark: string): void {
    const known = this.#classOf.get(mark) ?? this.#find(mark);
    this.#classOf.set(mark, known);
    known.push(mark);
  }

  get text(): string {
    return this.#classes.flat().join("");
  }

  #find(mark: string): string[] {
    const index = this.#classes.findIndex(([one]) => one !== undefined && !isBefore(one, mark));
    const found = this.#classes[index];
    if (found?.[0] !== undefined && !isBefore(mark, found[0])) return found;
    const made: string[] = [];
    this.#classes.splice(index === -1 ? this.#classes.length : index, 0, made);
    return made;
  }
}

/** Whether the class of the one is lower than that of the other. */
function isBefore(one: string, other: string): boolean {
  return one !== other && (other + one).normalize("NFD") === one + other;
}

/** Not so spacing marks, over which no mark goes. */
function isReordered(mark: string): boolean {
  return mark === lastMark || isBefore(mark, lastMark);
}
