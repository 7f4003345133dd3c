/**
 * Compilation of sources to scripts, by the reference compiler.
 * @source Waves: lang/API.scala (compile), lang/js: JsAPI.scala; api/http/utils/UtilsApiRoute.scala
 */
import type { CompiledScript, RideLang } from "@waves/ride-lang";
import { EstimationError } from "../estimator/estimation-error.ts";
import type { EstimatorRules } from "../estimator/estimator-v3.ts";
import { type Estimator, estimateScript, offChainAllowance } from "../estimator/script-complexity.ts";
import { parseScript } from "../script/script-bytes.ts";
import { WorkRefused } from "../work-refused.ts";
import { CompilerWork } from "./compiler-work.ts";
import { quickestEstimator } from "./declaration-work.ts";
import { asInNode } from "./literal-texts.ts";
import { MAX_SCRIPT_TOKENS, refuseLongExpressions, refuseLongSources, SourceTooLong } from "./source-bound.ts";

export interface CompileRequest {
  readonly source: string;
  /** Sources that the script may import, by name. */
  readonly libraries: Readonly<Record<string, string>>;
  readonly estimator: Estimator;
  /** Version for a source without its directive. */
  readonly defaultLibraryVersion: number;
  /** Whether to shorten names. */
  readonly compacts: boolean;
  /** Whether the owner of the node asks, who may take more of it than a transaction may. */
  readonly isOwner?: boolean | undefined;
  /** Gets what the compiler has taken, as a complexity, whatever came of it. */
  readonly spent?: ((complexity: number) => void) | undefined;
}

export interface Compilation {
  readonly script: Uint8Array;
  readonly complexity: bigint;
  readonly verifierComplexity: bigint;
  readonly callableComplexities: ReadonlyMap<string, bigint>;
}

/** Error of the compiler. */
export class CompilationError extends Error {
  override readonly name = "CompilationError";
}

/** Literal beyond 64 bits, at which the parser stops. */
export class NumberOutOfRange extends CompilationError {
  static of(cause: unknown): NumberOutOfRange | undefined {
    const [message] = /For input string: "\d+"/.exec(String(cause)) ?? [];
    return message === undefined ? undefined : new NumberOutOfRange(message, { cause });
  }
}

/** Default of the compiler itself. */
const compilerLibraryVersion = 3;
const contentTypes = { expression: 1, dApp: 2, library: 3 } as const;
const scriptTypes = { account: 1, asset: 2, call: 3 } as const;
const tooComplex = /^(?:Script|Contract (?:verifier|function \(.*\))) is too complex: \d+ > \d+$/;
const versionDirective = /^\s*\{-#\s*STDLIB_VERSION\b.*#-\}\s*$/m;
const importsError = /^Unresolved imports|is not LIBRARY$/;

/** @throws CompilationError, SourceTooLong */
export async function compile(request: CompileRequest): Promise<Compilation> {
  const { source, libraries, isOwner, spent } = request;
  const sources = [...Object.values(libraries), source];
  const tokens = refuseLongSources(sources, MAX_SCRIPT_TOKENS);
  refuseLongExpressions(sources);
  const work = await CompilerWork.of(tokens, isOwner ? "ownersScript" : "script");
  try {
    return compiledBy(work, request);
  } finally {
    spent?.(work.spentComplexity);
  }
}

/** @throws CompilationError, SourceTooLong */
function compiledBy(work: CompilerWork, request: CompileRequest): Compilation {
  const { source, defaultLibraryVersion } = request;
  if (defaultLibraryVersion === compilerLibraryVersion || versionDirective.test(source)) return run(work, request);
  const directive = `{-# STDLIB_VERSION ${defaultLibraryVersion} #-}\n`;
  try {
    return run(work, { ...request, source: directive + source });
  } catch (error) {
    if (!(error instanceof CompilationError)) throw error;
    throw new CompilationError(withoutDirective(error.message, directive), { cause: error });
  }
}

/** The message without the directive: positions count characters. */
function withoutDirective(message: string, directive: string): string {
  const shifted = (digits: string): number => {
    const at = Number(digits);
    return at < directive.length ? at : at - directive.length;
  };
  return message
    .replace(directive, "")
    .replace(/\bin (\d+)-(\d+)/g, (_, start: string, end: string) => `in ${shifted(start)}-${shifted(end)}`);
}

function run(work: CompilerWork, request: CompileRequest): Compilation {
  const { source, libraries, estimator, compacts } = request;
  const number = numberOf(request);
  const directives = guarded(work, (compiler) => compiler.scriptInfo(source));
  const { stdLibVersion = 0, contentType: content, scriptType: guards } = "error" in directives ? {} : directives;
  const compiled = guarded(work, (compiler) => compiler.compile(source, number, compacts, false, libraries));
  if (content === contentTypes.expression && guards === scriptTypes.call && !importsError.test(compiled.error ?? "")) {
    throw new CompilationError("Invoke Expression Transaction is not activated yet");
  }
  if (typeof estimator !== "number") {
    const isTooComplex = compiled.result === undefined && tooComplex.test(compiled.error);
    const script = isTooComplex ? scriptOf(work, request, stdLibVersion, number) : compiled.result;
    if (script !== undefined) return estimated(new Uint8Array(script), estimator, { content, guards });
  }
  // An error with a result concerns the use of the script, which is compiled nonetheless.
  if (compiled.result === undefined) throw new CompilationError(asInNode(compiled.error));
  return compilationOf(compiled, content === contentTypes.expression);
}

/**
 * Script of a valid source that is too complex for the compiler's estimator. Undefined before library version 3: there
 * the compiler does not return it, and its complexity is the compiler's.
 */
function scriptOf(
  work: CompilerWork,
  { source, libraries, compacts }: CompileRequest,
  libraryVersion: number,
  number: number,
): ArrayBuffer | undefined {
  if (libraryVersion < compilerLibraryVersion) return undefined;
  return guarded(work, (compiler) => compiler.parseAndCompile(source, number, compacts, false, libraries)).result;
}

/** Deep sources overflow the compiler's stack. @throws CompilationError, SourceTooLong */
function guarded<Outcome>(work: CompilerWork, run: (compiler: RideLang) => Outcome): Outcome {
  try {
    return work.run(run);
  } catch (cause) {
    if (cause instanceof SourceTooLong) throw cause;
    throw (
      NumberOutOfRange.of(cause) ??
      new CompilationError("The compiler cannot take this source: it nests too deep", { cause })
    );
  }
}

/** Number of the compiler's estimator to use. The results of its newer estimators are ignored. @throws SourceTooLong */
function numberOf({ source, libraries, estimator }: CompileRequest): number {
  return typeof estimator === "number" ? estimator : quickestEstimator([...Object.values(libraries), source]);
}

function compilationOf(compiled: CompiledScript, isVerifier: boolean): Compilation {
  const { result, complexity, verifierComplexity, callableComplexities = {} } = compiled;
  const costs = Object.entries(callableComplexities).map(([name, cost]) => [name, BigInt(cost)] as const);
  return {
    script: new Uint8Array(result),
    complexity: BigInt(complexity),
    verifierComplexity: BigInt(verifierComplexity ?? (isVerifier ? complexity : 0)),
    callableComplexities: new Map(costs),
  };
}

/** @throws CompilationError, SourceTooLong */
function estimated(
  script: Uint8Array,
  estimator: EstimatorRules,
  { content, guards }: { readonly content: number | undefined; readonly guards: number | undefined },
): Compilation {
  const hasVerifierLimit = content === contentTypes.dApp || guards === scriptTypes.account;
  try {
    const rules = { estimator, hasVerifierLimit, isInOneGo: true, allowance: offChainAllowance() };
    const { maximum, verifier, callables } = estimateScript(parseScript(script), rules);
    const verifierComplexity = content === contentTypes.library ? 0n : verifier;
    return { script, complexity: maximum, verifierComplexity, callableComplexities: callables };
  } catch (error) {
    if (error instanceof EstimationError) throw new CompilationError(error.message, { cause: error });
    if (error instanceof WorkRefused) throw new SourceTooLong(error.message);
    throw error;
  }
}
