/** Calls of a Durable Object, retried if the platform says that this helps. */

export interface ObjectCallOptions<Methods> {
  /** Calls a method once, each time with a new stub: a stub stays broken after a failure. */
  readonly call: (method: string, args: readonly unknown[]) => Promise<unknown>;
  /** Error of a failed call. */
  readonly unavailable: (cause: unknown) => Error;
  /** Methods that are not retried. */
  readonly once?: readonly (keyof Methods)[];
  /** Methods that change what others see. */
  readonly writes?: readonly (keyof Methods)[];
  /** Called after each of them. */
  readonly onWrite?: () => void;
}

/** Returns a proxy that sends each method as a call of the object. */
export function objectMethods<Methods>(options: ObjectCallOptions<Methods>): Methods {
  // PERF: created for each request, which calls at most one method; the lists are short.
  const once: readonly PropertyKey[] = options.once ?? [];
  const writes: readonly PropertyKey[] = options.writes ?? [];
  const { onWrite = () => {} } = options;
  const methods = new Proxy(
    {},
    {
      // An object with `then` would be treated as a promise.
      get: (_, method) =>
        typeof method === "symbol" || method === "then"
          ? undefined
          : (...args: readonly unknown[]) => {
              const called = callWithRetry(options, method, args, { isRepeatable: !once.includes(method) });
              return writes.includes(method) ? called.finally(onWrite) : called;
            },
    },
  );
  // The type names the methods; the object refuses others.
  return methods as Methods;
}

async function callWithRetry<Methods>(
  { call, unavailable }: ObjectCallOptions<Methods>,
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

/** The platform marks errors after which a retry may succeed, and those of an overloaded object. */
function isRetryable(error: unknown): boolean {
  const { retryable, overloaded } = error as { readonly retryable?: boolean; readonly overloaded?: boolean };
  return retryable === true && overloaded !== true;
}
