/** Contracts for benchmarks. Their cost is the estimator's, within a few units. */
export interface BenchContract {
  readonly name: string;
  readonly source: string;
}

export const benchFunction = "call";
/** Keys that the second contract reads. */
export const benchKeys = Array.from({ length: 100 }, (_, index) => `entry_${index}`);

const head = "{-# STDLIB_VERSION 6 #-}\n{-# CONTENT_TYPE DAPP #-}\n{-# SCRIPT_TYPE ACCOUNT #-}\n";
const reads = benchKeys.map((key) => `getIntegerValue(this, "${key}")`);
const sums = Array.from({ length: 10 }, (_, index) => reads.slice(index * 10, index * 10 + 10).join(" + "));
const writes = sums.map((sum, index) => `IntegerEntry("sum_${index}", fraction(${sum}, 3, 2) + size(text) + ${index})`);

export const benchContracts: readonly BenchContract[] = [
  { name: "(a) empty callable", source: `${head}@Callable(i)\nfunc ${benchFunction}() = []` },
  {
    name: "(b) 100 reads, 10 writes",
    source: `${head}
func step(text: String, item: Int) = take(text + toString(item * 7 % 13), 100)
@Callable(i)
func ${benchFunction}() = {
  let text = FOLD<10>([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], "", step)
  [${writes.join(", ")}]
}`,
  },
  {
    name: "(c) near the limit",
    source: `${head}
func step(sum: (Int, String, List[Int]), item: Int) = {
  let (number, text, list) = sum
  let next = fraction(number, item + 3, 2) % 1000003
  strict longer = take(toString(next) + text, 200)
  let sorted = if (size(list) > 20) then removeByIndex(list, 0) else list
  (next, toBase58String(sha256(toBytes(longer))), sorted :+ size(split(longer, "1")))
}
func round(sum: (Int, String, List[Int]), item: Int) = FOLD<10>([1, 2, 3, 4, 5, 6, 7, 8, 9, item], sum, step)
@Callable(i)
func ${benchFunction}() = {
  let (number, text, list) = FOLD<15>([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], (7, "start", [0]), round)
  [IntegerEntry("number", number), StringEntry("text", text), IntegerEntry("largest", max(list))]
}`,
  },
];
