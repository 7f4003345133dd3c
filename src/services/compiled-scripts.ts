/**
 * Cache of compiled sources: compiling a large one takes seconds, and the result depends only on the request. Errors of
 * sources take as long, and are cached, too.
 */
import { bytesKey } from "../crypto/bytes.ts";
import { sha256 } from "../crypto/hash.ts";
import { type IsolateMemory, type MemoryRegion, textBytes } from "../platform/isolate-memory.ts";
import type { ScriptSlot } from "../platform/script-scheduler.ts";
import { utf8Bytes } from "../protocol/codec/utf8.ts";
import { type Compilation, CompilationError, type CompileRequest, compile } from "../ride/compiler/compile.ts";
import { SourceTooLong } from "../ride/compiler/source-bound.ts";

type CacheEntry = { readonly compilation: Compilation } | { readonly error: CompilationError | SourceTooLong };
type Source = Omit<CompileRequest, "spent">;

/** A callable's name and cost. */
const CALLABLE_BYTES = 200;

export class CompiledScripts {
  readonly #entries: MemoryRegion<CacheEntry>;

  constructor(memory: IsolateMemory) {
    this.#entries = memory.region("compilation", sizeBytes);
  }

  /**
   * Compiles like `compile`. @param turn awaited if the source is not cached @throws CompilationError, SourceTooLong
   */
  async compile(source: Source, turn: ScriptSlot): Promise<Compilation> {
    const key = keyOf(source);
    const kept = this.#entries.find(key);
    const outcome = kept ?? (await compiled(source, turn));
    if (kept === undefined) this.#entries.store(key, outcome);
    if ("error" in outcome) throw outcome.error;
    return outcome.compilation;
  }
}

async function compiled(source: Source, turn: ScriptSlot): Promise<CacheEntry> {
  await turn.begin();
  try {
    return { compilation: await compile({ ...source, spent: (complexity) => turn.spent(complexity) }) };
  } catch (error) {
    if (error instanceof CompilationError) return { error: new CompilationError(error.message) };
    if (error instanceof SourceTooLong) return { error: new SourceTooLong(error.message) };
    throw error;
  }
}

function keyOf({ source, libraries, estimator, defaultLibraryVersion, compacts, isOwner }: Source): string {
  const asked = [source, Object.entries(libraries), estimator, defaultLibraryVersion, compacts, isOwner];
  return bytesKey(sha256(utf8Bytes(JSON.stringify(asked))));
}

function sizeBytes(kept: CacheEntry): number {
  if ("error" in kept) return textBytes(kept.error.message);
  const { script, callableComplexities } = kept.compilation;
  return script.length + CALLABLE_BYTES * callableComplexities.size;
}
