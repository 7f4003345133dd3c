/**
 * Stryker plugin that leaves out the messages of errors which only a bug in the program can cause. Clients and
 * operators read the texts of typed errors elsewhere or of a `RuleError`, which are mutated.
 */

/** Members of a syntax tree node that the plugin reads. */
interface SyntaxPath {
  readonly node: { readonly type: string; readonly callee?: { readonly name?: string } };
  readonly parentPath: SyntaxPath | null;
}

const assertions: ReadonlySet<string | undefined> = new Set(["Error", "RangeError", "TypeError"]);

export const strykerPlugins = [
  {
    kind: "Ignore",
    name: "fault-texts",
    value: {
      shouldIgnore({ node, parentPath }: SyntaxPath): string | undefined {
        const isText = node.type === "StringLiteral" || node.type === "TemplateLiteral";
        const isOfError = parentPath?.node.type === "NewExpression" && assertions.has(parentPath.node.callee?.name);
        return isText && isOfError ? "the sentence of an assertion" : undefined;
      },
    },
  },
];
