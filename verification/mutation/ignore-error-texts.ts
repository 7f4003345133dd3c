/**
 * A plugin of Stryker: leaves the sentences of errors alone that only a fault of the program can bring. What clients and
 * operators read is a typed fault with its text elsewhere, or a `RuleError`, and stays.
 */

/** What the plugin looks at of a node of the syntax tree. */
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
