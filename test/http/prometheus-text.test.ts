import { expect, test } from "vitest";
import { histogramSamples, type Metric, prometheusText } from "../../src/http/prometheus-text.ts";

const gauge = (facts: Partial<Metric>): Metric => ({
  name: "name",
  help: "help",
  type: "gauge",
  samples: [],
  ...facts,
});

test("a metric has its help, its type, and a line for each sample", () => {
  const samples = [{ value: 1.5 }, { labels: { route: "/blocks/at/:height", tier: "d1" }, value: 2 }];
  expect(prometheusText([gauge({ samples })])).toBe(
    '# HELP name help\n# TYPE name gauge\nname 1.5\nname{route="/blocks/at/:height",tier="d1"} 2\n',
  );
});

test("what would end a line or a label is written as the format says", () => {
  const text = prometheusText([gauge({ help: 'a\\b\n"c"', samples: [{ labels: { l: 'a\\b\n"c"' }, value: 1 }] })]);
  expect(text).toBe('# HELP name a\\\\b\\n"c"\n# TYPE name gauge\nname{l="a\\\\b\\n\\"c\\""} 1\n');
});

test("a metric without samples is left out", () => {
  expect(prometheusText([gauge({})])).toBe("");
});

test("a histogram's buckets count what is below them, too, and the last one counts all", () => {
  const samples = histogramSamples({ counts: [2, 0, 3], sum: 0.5 }, [0.001, 0.01], { tier: "d1" });
  expect(prometheusText([gauge({ type: "histogram", samples })])).toBe(
    [
      "# HELP name help",
      "# TYPE name histogram",
      'name_bucket{tier="d1",le="0.001"} 2',
      'name_bucket{tier="d1",le="0.01"} 2',
      'name_bucket{tier="d1",le="+Inf"} 5',
      'name_sum{tier="d1"} 0.5',
      'name_count{tier="d1"} 5',
      "",
    ].join("\n"),
  );
});
