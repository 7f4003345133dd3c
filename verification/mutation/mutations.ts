/** Stryker's results, and the explanations of mutations that no test catches. */
import { z } from "zod";

const position = z.object({ line: z.number().int(), column: z.number().int() });

/** Report of Stryker's JSON reporter. */
export const reportSchema = z.object({
  files: z.record(
    z.string(),
    z.object({
      source: z.string(),
      mutants: z.array(
        z.object({
          status: z.enum([
            "Killed",
            "Timeout",
            "Survived",
            "NoCoverage",
            "CompileError",
            "RuntimeError",
            "Ignored",
            "Pending",
          ]),
          replacement: z.string().optional(),
          /** True for a mutation of code that runs when the module is loaded. */
          static: z.boolean().optional(),
          location: z.object({ start: position, end: position }),
        }),
      ),
    }),
  ),
});

export type Report = z.infer<typeof reportSchema>;
type Mutant = Report["files"][string]["mutants"][number];

const isPutOff = ({ status, static: isStatic = false }: Mutant): boolean => status === "Ignored" && isStatic;

/** Ranges of postponed mutations, which tests reach only by loading their module, in Stryker's form. */
export function putOffRanges({ files }: Report): string[] {
  return Object.entries(files).flatMap(([file, { mutants }]) =>
    mutants
      .filter(isPutOff)
      .map(({ location: { start, end } }) => `${file}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`),
  );
}

/** The report with the postponed mutations' results from a later one. */
export function withLater({ files }: Report, later: Report): Report {
  const merged = Object.entries(files).map(([file, { source, mutants }]) => {
    const found = new Map(later.files[file]?.mutants.map((mutant) => [mutantKey(mutant), mutant]));
    const known = mutants.map((mutant) => (isPutOff(mutant) ? (found.get(mutantKey(mutant)) ?? mutant) : mutant));
    return [file, { source, mutants: known }] as const;
  });
  return { files: Object.fromEntries(merged) };
}

function mutantKey({ location, replacement }: Mutant): string {
  return JSON.stringify([location, replacement]);
}

/** Reasons why surviving mutations are right: by file, then by the mutation as `describeMutation` writes it. */
export const acceptedSchema = z.record(z.string(), z.record(z.string(), z.string().min(1)));
export type Accepted = z.infer<typeof acceptedSchema>;

export interface Survivor {
  readonly file: string;
  readonly line: number;
  /** The line of the code, the changed text, and its replacement. */
  readonly mutation: string;
  readonly isReached: boolean;
  /** Undefined: not explained yet. */
  readonly reason: string | undefined;
}

export interface FileScore {
  readonly file: string;
  /** Mutations that could run. */
  readonly mutations: number;
  readonly killed: number;
  readonly survivors: readonly Survivor[];
  /** Explanations of mutations that no longer survive. */
  readonly stale: readonly string[];
}

/**
 * Scores of the files in a report.
 * @param isTarget true for a file mutated in this run; a report also keeps results of others
 */
export function scoreReport({ files }: Report, accepted: Accepted, isTarget: (file: string) => boolean): FileScore[] {
  return Object.entries(files)
    .filter(([file]) => isTarget(file))
    .map(([file, { source, mutants }]) => {
      const lines = source.split("\n");
      const ran = mutants.filter(({ status }) => status !== "CompileError" && status !== "Ignored");
      const survivors = ran
        .filter(({ status }) => !seen.has(status))
        .map(({ status, replacement = "", location }): Survivor => {
          const mutation = describeMutation(lines, location, replacement);
          const reason = accepted[file]?.[mutation];
          return { file, line: location.start.line, mutation, isReached: status === "Survived", reason };
        });
      const stale = Object.keys(accepted[file] ?? {}).filter(
        (mutation) => !survivors.some((survivor) => survivor.mutation === mutation),
      );
      return { file, mutations: ran.length, killed: ran.length - survivors.length, survivors, stale };
    })
    .sort((left, right) => (left.file < right.file ? -1 : 1));
}

type Position = z.infer<typeof position>;

/** A test failed, timed out, or could not be loaded. */
const seen: ReadonlySet<string> = new Set(["Killed", "Timeout", "RuntimeError"]);

/** Longest code that is printed in full. */
const maxPrintedLength = 100;

/** A mutation in one line, independent of its line number. */
function describeMutation(
  lines: readonly string[],
  { start, end }: { readonly start: Position; readonly end: Position },
  replacement: string,
): string {
  const last = lines[end.line - 1] ?? "";
  const between = lines.slice(start.line - 1, end.line - 1);
  const code = [...between, last.slice(0, end.column - 1)].join("\n").slice(start.column - 1);
  const line = shorten(lines[start.line - 1] ?? "");
  const before = shorten(code);
  return `${line === before ? "" : `${line} | `}${before} => ${shorten(replacement)}`;
}

function shorten(code: string): string {
  const oneLine = code.replaceAll(/\s+/g, " ").trim();
  return oneLine.length <= maxPrintedLength ? oneLine : `${oneLine.slice(0, maxPrintedLength)}…`;
}
