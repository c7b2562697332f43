/** Where some wait until others let them through. */
export type Latch = {
  /** Resolves once this one may go. */
  pass(): Promise<void>
  /** Lets so many of those who wait go, the oldest first; by default everyone, for good. */
  release(count?: number): void
}

/** A closed latch. */
export function createLatch(): Latch {
  const waiting: (() => void)[] = []
  let isOpen = false
  return {
    pass: () =>
      new Promise((go) => {
        if (isOpen) go()
        else waiting.push(go)
      }),
    release(count = Number.POSITIVE_INFINITY) {
      isOpen ||= count === Number.POSITIVE_INFINITY
      for (const go of waiting.splice(0, count)) go()
    }
  }
}
