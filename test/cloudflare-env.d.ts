/** Bindings that tests inside workerd see: those of the Worker, and the schema of the read model. */
declare namespace Cloudflare {
  interface Env extends Pick<import("../src/env.ts").Env, keyof import("../src/env.ts").Env> {
    readonly D1_MIGRATIONS: import("cloudflare:test").D1Migration[];
  }
}
