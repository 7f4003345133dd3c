/**
 * Metrics in the text format of Prometheus, version 0.0.4.
 * @source https://prometheus.io/docs/instrumenting/exposition_formats
 */

export const prometheusContentType = "text/plain; version=0.0.4; charset=utf-8";

type Labels = Readonly<Record<string, string>>;

export interface Sample {
  /** Suffix of the metric's name: `_bucket`, `_sum` and `_count` of a histogram. */
  readonly suffix?: string;
  readonly labels?: Labels;
  readonly value: number;
}

export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly samples: Iterable<Sample>;
}

/** Formats metrics; those without samples are left out. */
export function prometheusText(metrics: Iterable<Metric>): string {
  let text = "";
  for (const { name, help, type, samples } of metrics) {
    let lines = "";
    for (const { suffix = "", labels = {}, value } of samples)
      lines += `${name}${suffix}${labelText(labels)} ${valueText(value)}\n`;
    if (lines !== "") text += `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n${lines}`;
  }
  return text;
}

/**
 * Samples of a histogram.
 * @param counts observations of each bucket, not cumulative: one for each of `bounds`, and one above the last
 */
export function* histogramSamples(
  { counts, sum }: { readonly counts: readonly number[]; readonly sum: number },
  bounds: readonly number[],
  labels: Labels,
): Iterable<Sample> {
  let count = 0;
  for (const [index, bucketCount] of counts.entries()) {
    count += bucketCount;
    const bound = bounds[index] ?? Number.POSITIVE_INFINITY;
    yield { suffix: "_bucket", labels: { ...labels, le: valueText(bound) }, value: count };
  }
  yield { suffix: "_sum", labels, value: sum };
  yield { suffix: "_count", labels, value: count };
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function valueText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  return value === Number.NEGATIVE_INFINITY ? "-Inf" : String(value);
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}
