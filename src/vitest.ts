/** Matchers for Vitest: `import 'plimsoll/vitest'`, and the two functions that they rest on. */
import { expect } from 'vitest'
import type { App } from './app/app.ts'
import { acceptsUpTo, type ClaimOutcome, type LimitClaim, limits } from './app/claim.ts'
import type { AppDimension, AppOptions } from './app/find.ts'

export type { App } from './app/app.ts'
export type { LimitClaim } from './app/claim.ts'
export { type AppDimension, type AppOptions, boundary, limiter } from './app/find.ts'
export { GB, GiB, KB, KiB, MB, MiB } from './limit/limit.ts'

/** How the size is told that an app accepts. */
type SizeOptions = AppOptions & { of?: AppDimension; status?: number }

/** What is unclear fails, with `not` before it as well. */
function passes({ pass, isClear }: ClaimOutcome, isNot: boolean): boolean {
  return isClear ? pass : isNot
}

expect.extend({
  async toLimit(app: App, claim: LimitClaim, options?: AppOptions) {
    const outcome = await limits(app, claim, options)
    const { seen } = outcome
    return {
      pass: passes(outcome, this.isNot),
      message: () => `found ${seen}`,
      actual: seen,
      expected: claim
    }
  },
  async toAcceptUpTo(app: App, most: number, options?: SizeOptions) {
    const outcome = await acceptsUpTo(app, most, options)
    const { seen } = outcome
    return {
      pass: passes(outcome, this.isNot),
      message: () => `found ${seen}`,
      actual: seen,
      expected: most
    }
  }
})

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /** That an app (see `App`) limits the rate of requests so. */
    toLimit(claim: LimitClaim, options?: AppOptions): Promise<void>
    /** That an app (see `App`) accepts up to so many bytes, and refuses one more. */
    toAcceptUpTo(most: number, options?: SizeOptions): Promise<void>
  }
}
