import type { Clock } from '../clock.ts'

/** Waits for what is heard of somebody else. */
export type Heard = {
  /** Something was heard. */
  tell(): void
  /** Resolves once that holds, nothing more comes, or after `ms`: to whether it holds. */
  until(holds: () => boolean, ms: number): Promise<boolean>
}

/** A way to wait for what is heard; `isOver` says whether nothing more can come. */
export function createHeard(clock: Clock, isOver: () => boolean): Heard {
  let told = Promise.withResolvers<void>()
  return {
    tell() {
      told.resolve()
      told = Promise.withResolvers<void>()
    },
    async until(holds, ms) {
      const by = clock.now() + ms
      while (!holds() && !isOver() && clock.now() < by) {
        const heard = new AbortController()
        await Promise.race([told.promise, clock.until(by, heard.signal)])
        heard.abort()
      }
      return holds()
    }
  }
}
