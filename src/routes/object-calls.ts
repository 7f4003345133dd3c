/** Calls of a Durable Object, tried again where the platform says that this helps. */

export interface CallFacts<Methods> {
  /** Calls a method once; each time by a new stub, for one that has failed stays broken. */
  readonly call: (method: string, args: readonly unknown[]) => Promise<unknown>;
  /** What a call fails with. */
  readonly unavailable: (cause: unknown) => Error;
  /** Those that are not tried again. */
  readonly once?: readonly (keyof Methods)[];
  /** Those that change what others see. */
  readonly writes?: readonly (keyof Methods)[];
  /** Is told when one of them is over. */
  readonly onWrite?: () => void;
}

/** Each method as a call of the object. */
export function objectMethods<Methods>(facts: CallFacts<Methods>): Methods {
  // PERF: made for each request, which calls one method at most; the lists are short.
  const once: readonly PropertyKey[] = facts.once ?? [];
  const writes: readonly PropertyKey[] = facts.writes ?? [];
  const { onWrite = () => {} } = facts;
  const methods = new Proxy(
    {},
    {
      // A thing with `then` would be taken for a promise.
      get: (_, method) =>
        typeof method === "symbol" || method === "then"
          ? undefined
          : (...args: readonly unknown[]) => {
              const called = calling(facts, method, args, { isRepeatable: !once.includes(method) });
              return writes.includes(method) ? called.finally(onWrite) : called;
            },
    },
  );
  // Which methods there are is said by the type; the object refuses any other.
  return methods as Methods;
}

async function calling<Methods>(
  { call, unavailable }: CallFacts<Methods>,
  method: string,
  args: readonly unknown[],
  { isRepeatable }: { readonly isRepeatable: boolean },
): Promise<unknown> {
  try {
    return await call(method, args).catch((error: unknown) => {
      if (isRepeatable && isRetryable(error)) return call(method, args);
      throw error;
    });
  } catch (cause) {
    throw unavailable(cause);
  }
}

/** The platform marks errors after which a call may go through, and those of an object that has too much to do. */
function isRetryable(error: unknown): boolean {
  const { retryable, overloaded } = error as { readonly retryable?: boolean; readonly overloaded?: boolean };
  return retryable === true && overloaded !== true;
}
