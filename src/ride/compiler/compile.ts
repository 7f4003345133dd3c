/**
 * Sources to scripts, by the reference compiler.
 * @source Waves: lang/API.scala (compile), lang/js: JsAPI.scala; api/http/utils/UtilsApiRoute.scala
 */
import type { CompiledScript, RideLang } from "@waves/ride-lang";
import { newestLibraryVersion } from "../../protocol/transactions/library-versions.ts";
import { EstimationError } from "../estimator/estimation-error.ts";
import { type Estimator, estimateScript } from "../estimator/script-complexity.ts";
import { parseScript } from "../script/script-bytes.ts";
import { loadCompiler } from "./load-compiler.ts";
import { MAX_SCRIPT_TOKENS, refuseLongSources } from "./source-bound.ts";

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

/** The compiler's own default. */
const compilerLibraryVersion = 3;
const contentTypes = { expression: 1, dApp: 2, library: 3 } as const;
const callScript = 3;
const versionDirective = /^\s*\{-#\s*STDLIB_VERSION\b.*#-\}\s*$/m;
const importsFault = /^Unresolved imports|is not LIBRARY$/;

/** @throws CompilationError, SourceTooLong */
export async function compile(request: CompileRequest): Promise<Compilation> {
  refuseLongSources([request.source, ...Object.values(request.libraries)], MAX_SCRIPT_TOKENS);
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
  const directives = guarded(() => compiler.scriptInfo(source));
  // The compiler may be ahead of this release.
  if ("stdLibVersion" in directives && directives.stdLibVersion > newestLibraryVersion) {
    throw new CompilationError(`Illegal directive value ${directives.stdLibVersion} for key STDLIB_VERSION`);
  }
  const outcome = guarded(() => compiler.compile(source, numberOf(estimator), compacts, false, libraries));
  const content = "contentType" in directives ? directives.contentType : undefined;
  const isCall = "scriptType" in directives && directives.scriptType === callScript;
  if (content === contentTypes.expression && isCall && !importsFault.test(outcome.error ?? "")) {
    throw new CompilationError("Invoke Expression Transaction is not activated yet");
  }
  // What comes with a result is said of the script, and keeps nobody from having it.
  if (outcome.result === undefined) throw new CompilationError(asInNode(outcome.error));
  const compilation = compilationOf(outcome, content === contentTypes.expression);
  return content === contentTypes.library || isCompilers(estimator) ? compilation : estimated(compilation, estimator);
}

/** The package decodes base58 by means of its own, and complains otherwise than the compiler in a node. */
export function asInNode(error: string): string {
  return error.replace(/requirement failed: Wrong char '.' in Base58 string '[^']*'/gu, "can't parse Base58 string");
}

/** Deep sources take the compiler's stack. */
function guarded<Outcome>(ask: () => Outcome): Outcome {
  try {
    return ask();
  } catch (cause) {
    throw new CompilationError("The compiler cannot take this source: it nests too deep", { cause });
  }
}

/** The compiler's number of an estimator. */
function numberOf(estimator: Estimator): number {
  return typeof estimator === "number" ? estimator : 3;
}

/** Whether the compiler's third estimator follows these rules. */
function isCompilers(estimator: Estimator): boolean {
  if (typeof estimator === "number") return true;
  return estimator.fixesOverflow && !estimator.hasOverhead && estimator.fixesArguments;
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

function estimated({ script }: Compilation, estimator: Estimator): Compilation {
  try {
    const { maximum, verifier, callables } = estimateScript(parseScript(script), { estimator, hasVerifierLimit: true });
    return { script, complexity: maximum, verifierComplexity: verifier, callableComplexities: callables };
  } catch (error) {
    if (error instanceof EstimationError) throw new CompilationError(error.message, { cause: error });
    throw error;
  }
}
