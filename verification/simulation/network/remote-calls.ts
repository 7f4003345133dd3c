/**
 * Calls from one object to another, as on Cloudflare: arguments and results are copies, both take time, a call fails
 * when its target ends, and no result reaches a caller that has ended.
 */
import type { Lifetime } from "./lifetime.ts";

/** The object that is called. */
export interface Callee<Target> {
  /**
   * Runs a call in a task of its own, a little later.
   * @param run gets the target; not called when the object ends before
   * @param failed called when the object has ended, or cannot be loaded
   */
  enter(run: (target: Target, life: Lifetime) => void, failed: (error: Error) => void): void;
  /** Sends a result back. */
  respond(run: () => void): void;
}

type Methods<Target> = { readonly [Name in keyof Target]: (...args: never[]) => Promise<unknown> };

/** @param names of the methods that can be called */
export function remoteCalls<Target extends Methods<Target>>(
  caller: Lifetime,
  callee: Callee<Target>,
  names: readonly (keyof Target)[],
): Target {
  const call = (name: keyof Target, args: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const copied = structuredClone(args);
      const respond = (run: () => void): void => callee.respond(() => !caller.isOver && run());
      callee.enter(
        (target, life) => {
          const forget = life.atEnd(() => respond(() => reject(new Error(`the object ended during ${String(name)}`))));
          const done = (run: () => void): void => {
            if (life.isOver) return;
            forget();
            respond(run);
          };
          const method = target[name] as unknown as (...given: readonly unknown[]) => Promise<unknown>;
          // A synchronous exception counts as a rejection.
          const run = async (): Promise<unknown> => structuredClone(await method.apply(target, copied as unknown[]));
          run().then(
            (value) => done(() => resolve(value)),
            // Only the error's message is transferred.
            (error: unknown) => done(() => reject(new Error(error instanceof Error ? error.message : String(error)))),
          );
        },
        (error) => respond(() => reject(error)),
      );
    });
  return Object.fromEntries(
    names.map((name) => [name, (...args: readonly unknown[]) => call(name, args)]),
  ) as unknown as Target;
}
