/** Cache of compiled expressions: compilation takes milliseconds, evaluation usually less than one. */
import type { IsolateMemory, MemoryRegion } from "../platform/isolate-memory.ts";
import { compileExpression } from "../ride/compiler/compile-expression.ts";
import type { Declaration, Expression } from "../ride/script/expression.ts";

/** Memory of a node, with the values of constants, bytes. */
const NODE_BYTES = 150;

export class CompiledExpressions {
  readonly #expressions: MemoryRegion<Expression>;

  constructor(memory: IsolateMemory) {
    this.#expressions = memory.region("expression", (expression) => NODE_BYTES * nodesOf(expression));
  }

  /** Compiles like `compileExpression`. Errors are not cached. */
  async compile(source: string, libraryVersion: number, spent?: (complexity: number) => void): Promise<Expression> {
    const key = `${libraryVersion} ${source}`;
    const known = this.#expressions.find(key);
    if (known !== undefined) return known;
    const expression = await compileExpression(source, libraryVersion, spent);
    this.#expressions.store(key, expression);
    return expression;
  }
}

/** Number of nodes. Without recursion, since expressions nest deeper than the call stack allows. */
function nodesOf(expression: Expression): number {
  let count = 0;
  const stack: Expression[] = [expression];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    count++;
    if (node.kind === "getter") stack.push(node.object);
    else if (node.kind === "if") stack.push(node.condition, node.ifTrue, node.ifFalse);
    else if (node.kind === "block") stack.push(treeOf(node.declaration), node.body);
    else if (node.kind === "call") stack.push(...node.args);
  }
  return count;
}

function treeOf(declaration: Declaration): Expression {
  return declaration.kind === "let" ? declaration.value : declaration.body;
}
