/**
 * Sources that were compiled before: compiling a large one takes seconds, and what comes of it depends on nothing else than what was
 * asked. Errors of sources take as long, and are remembered, too.
 */
import { bytesKey } from "../crypto/bytes.ts";
import { sha256 } from "../crypto/hash.ts";
import { type IsolateMemory, type MemoryRegion, textBytes } from "../platform/isolate-memory.ts";
import type { ScriptSlot } from "../platform/script-scheduler.ts";
import { utf8Bytes } from "../protocol/codec/utf8.ts";
import { type Compilation, CompilationError, type CompileRequest, compile } from "../ride/compiler/compile.ts";
import { SourceTooLong } from "../ride/compiler/source-bound.ts";

type Kept = { readonly compilation: Compilation } | { readonly error: CompilationError | SourceTooLong };
type Source = Omit<CompileRequest, "spent">;

/** A callable's name and cost. */
const CALLABLE_BYTES = 200;

export class CompiledScripts {
  readonly #kept: MemoryRegion<Kept>;

  constructor(memory: IsolateMemory) {
    this.#kept = memory.region("compilation", sizeBytes);
  }

  /** As `compile`. @param turn what is not remembered waits for it @throws CompilationError, SourceTooLong */
  async compile(source: Source, turn: ScriptSlot): Promise<Compilation> {
    const key = keyOf(source);
    const kept = this.#kept.find(key);
    const outcome = kept ?? (await compiled(source, turn));
    if (kept === undefined) this.#kept.store(key, outcome);
    if ("error" in outcome) throw outcome.error;
    return outcome.compilation;
  }
}

async function compiled(source: Source, turn: ScriptSlot): Promise<Kept> {
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

function sizeBytes(kept: Kept): number {
  if ("error" in kept) return textBytes(kept.error.message);
  const { script, callableComplexities } = kept.compilation;
  return script.length + CALLABLE_BYTES * callableComplexities.size;
}
