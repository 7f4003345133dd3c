/**
 * Sources to scripts, by the reference compiler.
 * @source Waves: lang/API.scala (compile), lang/js: JsAPI.scala; api/http/utils/UtilsApiRoute.scala
 */
import type { CompiledScript, RideLang } from "@waves/ride-lang";
import { EstimationError } from "../estimator/estimation-error.ts";
import type { EstimatorRules } from "../estimator/estimator-v3.ts";
import { askedAllowance, type Estimator, estimateScript } from "../estimator/script-complexity.ts";
import { parseScript } from "../script/script-bytes.ts";
import { WorkRefused } from "../work-refused.ts";
import { quickestEstimator } from "./declaration-work.ts";
import { asInNode } from "./literal-texts.ts";
import { loadCompiler } from "./load-compiler.ts";
import { MAX_SCRIPT_TOKENS, refuseLongSentences, refuseLongSources, SourceTooLong } from "./source-bound.ts";

export interface CompileRequest {
  readonly source: string;
  /** Sources that the script may import, by name. */
  readonly libraries: Readonly<Record<string, string>>;
  readonly estimator: Estimator;
  /** Of a source without a directive for it. */
  readonly defaultLibraryVersion: number;
  /** Whether names are shortened. */
  readonly compacts: boolean;
}

export interface Compilation {
  readonly script: Uint8Array;
  readonly complexity: bigint;
  readonly verifierComplexity: bigint;
  readonly callableComplexities: ReadonlyMap<string, bigint>;
}

/** The compiler's complaint. */
export class CompilationError extends Error {
  override readonly name = "CompilationError";
}

/** A literal beyond 64 bits, at which the parser breaks off. */
export class NumberOutOfRange extends CompilationError {
  static of(cause: unknown): NumberOutOfRange | undefined {
    const [message] = /For input string: "\d+"/.exec(String(cause)) ?? [];
    return message === undefined ? undefined : new NumberOutOfRange(message, { cause });
  }
}

/** The compiler's own default. */
const compilerLibraryVersion = 3;
const contentTypes = { expression: 1, dApp: 2, library: 3 } as const;
const scriptTypes = { account: 1, asset: 2, call: 3 } as const;
const tooComplex = /^(?:Script|Contract (?:verifier|function \(.*\))) is too complex: \d+ > \d+$/;
const versionDirective = /^\s*\{-#\s*STDLIB_VERSION\b.*#-\}\s*$/m;
const importsFault = /^Unresolved imports|is not LIBRARY$/;

/** @throws CompilationError, SourceTooLong */
export async function compile(request: CompileRequest): Promise<Compilation> {
  const sources = [...Object.values(request.libraries), request.source];
  refuseLongSources(sources, MAX_SCRIPT_TOKENS);
  refuseLongSentences(sources);
  const compiler = await loadCompiler();
  const { source, defaultLibraryVersion } = request;
  if (defaultLibraryVersion === compilerLibraryVersion || versionDirective.test(source)) return run(compiler, request);
  const directive = `{-# STDLIB_VERSION ${defaultLibraryVersion} #-}\n`;
  try {
    return run(compiler, { ...request, source: directive + source });
  } catch (error) {
    if (!(error instanceof CompilationError)) throw error;
    throw new CompilationError(withoutDirective(error.message, directive), { cause: error });
  }
}

/** A message as it would be without the directive: positions are counted in characters. */
function withoutDirective(message: string, directive: string): string {
  const shifted = (digits: string): number => {
    const at = Number(digits);
    return at < directive.length ? at : at - directive.length;
  };
  return message
    .replace(directive, "")
    .replace(/\bin (\d+)-(\d+)/g, (_, start: string, end: string) => `in ${shifted(start)}-${shifted(end)}`);
}

function run(compiler: RideLang, request: CompileRequest): Compilation {
  const { source, libraries, estimator, compacts } = request;
  const number = numberOf(request);
  const directives = guarded(() => compiler.scriptInfo(source));
  const { stdLibVersion = 0, contentType: content, scriptType: guards } = "error" in directives ? {} : directives;
  const outcome = guarded(() => compiler.compile(source, number, compacts, false, libraries));
  if (content === contentTypes.expression && guards === scriptTypes.call && !importsFault.test(outcome.error ?? "")) {
    throw new CompilationError("Invoke Expression Transaction is not activated yet");
  }
  if (typeof estimator !== "number") {
    const isTooComplex = outcome.result === undefined && tooComplex.test(outcome.error);
    const script = isTooComplex ? scriptOf(compiler, request, stdLibVersion, number) : outcome.result;
    if (script !== undefined) return estimated(new Uint8Array(script), estimator, { content, guards });
  }
  // What comes with a result is said of the script, and keeps nobody from having it.
  if (outcome.result === undefined) throw new CompilationError(asInNode(outcome.error));
  return compilationOf(outcome, content === contentTypes.expression);
}

/**
 * The script of a source that is sound, but too complex for the compiler's estimator. Undefined before library version 3:
 * there the compiler does not give it away, and how complex it is stays what the compiler says.
 */
function scriptOf(
  compiler: RideLang,
  { source, libraries, compacts }: CompileRequest,
  libraryVersion: number,
  number: number,
): ArrayBuffer | undefined {
  if (libraryVersion < compilerLibraryVersion) return undefined;
  return guarded(() => compiler.parseAndCompile(source, number, compacts, false, libraries)).result;
}

/** Deep sources take the compiler's stack. */
function guarded<Outcome>(ask: () => Outcome): Outcome {
  try {
    return ask();
  } catch (cause) {
    throw (
      NumberOutOfRange.of(cause) ??
      new CompilationError("The compiler cannot take this source: it nests too deep", { cause })
    );
  }
}

/** The compiler's number of the estimator that it is to use. What its newer ones say is not told. @throws SourceTooLong */
function numberOf({ source, libraries, estimator }: CompileRequest): number {
  return typeof estimator === "number" ? estimator : quickestEstimator([...Object.values(libraries), source]);
}

function compilationOf(compiled: CompiledScript, isVerifier: boolean): Compilation {
  const { result, complexity, verifierComplexity, callableComplexities = {} } = compiled;
  const ofCallables = Object.entries(callableComplexities).map(([name, cost]) => [name, BigInt(cost)] as const);
  return {
    script: new Uint8Array(result),
    complexity: BigInt(complexity),
    verifierComplexity: BigInt(verifierComplexity ?? (isVerifier ? complexity : 0)),
    callableComplexities: new Map(ofCallables),
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
    const rules = { estimator, hasVerifierLimit, isInOneGo: true, allowance: askedAllowance() };
    const { maximum, verifier, callables } = estimateScript(parseScript(script), rules);
    const verifierComplexity = content === contentTypes.library ? 0n : verifier;
    return { script, complexity: maximum, verifierComplexity, callableComplexities: callables };
  } catch (error) {
    if (error instanceof EstimationError) throw new CompilationError(error.message, { cause: error });
    if (error instanceof WorkRefused) throw new SourceTooLong(error.message);
    throw error;
  }
}
