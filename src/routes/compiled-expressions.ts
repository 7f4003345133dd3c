/** Expressions of clients, compiled before: compiling one takes milliseconds, evaluating most of them takes less than one. */
import type { IsolateMemory, MemoryRegion } from "../platform/isolate-memory.ts";
import { compileExpression } from "../ride/compiler/compile-expression.ts";
import type { Declaration, Expression } from "../ride/script/expression.ts";

/** What a node takes, with the values of constants. */
const NODE_BYTES = 150;

export class CompiledExpressions {
  readonly #expressions: MemoryRegion<Expression>;

  constructor(memory: IsolateMemory) {
    this.#expressions = memory.region("expression", (expression) => NODE_BYTES * nodesOf(expression));
  }

  /** As `compileExpression`. What it throws is not kept. */
  async compile(source: string, libraryVersion: number): Promise<Expression> {
    const key = `${libraryVersion} ${source}`;
    const known = this.#expressions.find(key);
    if (known !== undefined) return known;
    const expression = await compileExpression(source, libraryVersion);
    this.#expressions.keep(key, expression);
    return expression;
  }
}

/** Number of nodes. Expressions nest deeper than calls may. */
function nodesOf(expression: Expression): number {
  let count = 0;
  const waiting: Expression[] = [expression];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    count++;
    if (node.kind === "getter") waiting.push(node.object);
    else if (node.kind === "if") waiting.push(node.condition, node.ifTrue, node.ifFalse);
    else if (node.kind === "block") waiting.push(treeOf(node.declaration), node.body);
    else if (node.kind === "call") waiting.push(...node.args);
  }
  return count;
}

function treeOf(declaration: Declaration): Expression {
  return declaration.kind === "let" ? declaration.value : declaration.body;
}
