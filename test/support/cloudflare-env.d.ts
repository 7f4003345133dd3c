/** Bindings that tests inside workerd see: those of the Worker. */
declare namespace Cloudflare {
  interface Env extends Pick<import("../../src/env.ts").Env, keyof import("../../src/env.ts").Env> {}
}
