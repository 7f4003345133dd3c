/**
 * Text with its characters decomposed (NFKD), in a time linear in its length. The platform's own normalization is
 * quadratic in a run of marks: it inserts each mark by moving back over those of higher class.
 * @source Unicode 3.11, Canonical Ordering Algorithm
 */

/** Runs of marks. The two letters are included because they decompose to marks. */
const longRuns = /[\p{M}\uff9e\uff9f]{33,}/gu;
/** The mark with the highest class, and the only one of that class. */
const lastMark = "\u0345";

/** Same result as `text.normalize("NFKD")`. */
export function decomposed(text: string): string {
  // A character before a long run keeps its own marks out of it: they belong to the run.
  return text.replaceAll(longRuns, inOrder).normalize("NFKD");
}

/** The run decomposed, with its marks in canonical order. */
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

/** Marks grouped by class; within a class in their original order. */
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
    const created: string[] = [];
    this.#classes.splice(index === -1 ? this.#classes.length : index, 0, created);
    return created;
  }
}

/** Whether the class of `one` is lower than that of `other`. */
function isBefore(one: string, other: string): boolean {
  return one !== other && (other + one).normalize("NFD") === one + other;
}

/** False for spacing marks, which no mark moves over. */
function isReordered(mark: string): boolean {
  return mark === lastMark || isBefore(mark, lastMark);
}
