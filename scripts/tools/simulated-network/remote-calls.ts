/**
 * Calls from one object to another, as Cloudflare carries them: arguments and answers are copies, both take their time, a call
 * into an object that ends fails, and nobody hears an answer any more who has ended.
 */
import type { Life } from "./life.ts";

/** The object that is called. */
export interface Callee<Target> {
  /**
   * Runs something in it, in a turn of its own, a little later.
   * @param run is given what is called; not called at all where the object ends before
   * @param failed is told that the object has ended, or cannot be had
   */
  enter(run: (target: Target, life: Life) => void, failed: (error: Error) => void): void;
  /** Lets an answer travel back. */
  leave(run: () => void): void;
}

type Methods<Target> = { readonly [Name in keyof Target]: (...args: never[]) => Promise<unknown> };

/** @param names of the methods that can be called */
export function remoteCalls<Target extends Methods<Target>>(
  caller: Life,
  callee: Callee<Target>,
  names: readonly (keyof Target)[],
): Target {
  const call = (name: keyof Target, args: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const copied = structuredClone(args);
      const answer = (run: () => void): void => callee.leave(() => !caller.isOver && run());
      callee.enter(
        (target, life) => {
          const forget = life.atEnd(() => answer(() => reject(new Error(`the object ended during ${String(name)}`))));
          const done = (run: () => void): void => {
            if (life.isOver) return;
            forget();
            answer(run);
          };
          const method = target[name] as unknown as (...given: readonly unknown[]) => Promise<unknown>;
          // What it throws at once is as good as a rejection.
          const run = async (): Promise<unknown> => structuredClone(await method.apply(target, copied as unknown[]));
          run().then(
            (value) => done(() => resolve(value)),
            // Nothing but its text travels.
            (error: unknown) => done(() => reject(new Error(error instanceof Error ? error.message : String(error)))),
          );
        },
        (error) => answer(() => reject(error)),
      );
    });
  return Object.fromEntries(
    names.map((name) => [name, (...args: readonly unknown[]) => call(name, args)]),
  ) as unknown as Target;
}
