/** For how long an instance is given to whoever asks, and when it is let go. */
export type Retirement = {
  /** Whether it is to be given to nobody else. */
  isCondemned(): boolean
  /** Whether it can run nothing more, not even for those who have waited for it to start. */
  isOver(): boolean
  /**
   * Whether it is about to end, so that whoever waits for room may wait for that. Who is in flight
   * on one that is only distrusted may stay half a minute.
   */
  isLeaving(): boolean
  isStarting(): boolean
  /** Somebody has left: it may be that nobody is there any more. */
  leave(): void
  /** It is given to nobody else, and ends with the last run it has or after that long. */
  condemn(withinMs?: number): void
  /** It has gone too far to be given to anybody, even to those who have waited for it. */
  distrust(): void
  end(): void
  /** Keeps it until it has started, and for those who have waited for that. */
  during<Started>(start: Promise<Started>): Promise<Started>
}

/** Who is in flight on a condemned instance may end there, but not stay for ever. */
const longestMs = 30_000

/** Begins when its process does. */
export function createRetirement({
  isIdle,
  kill
}: {
  isIdle: () => boolean
  kill: () => void
}): Retirement {
  let isCondemned = false
  let isOver = false
  let isStarting = false
  let withinMs = Infinity
  let deadline: NodeJS.Timeout | undefined
  const arm = () => {
    if (isStarting || withinMs === Infinity) return
    clearTimeout(deadline)
    deadline = setTimeout(kill, withinMs)
    deadline.unref()
  }
  const leave = () => {
    if (!isCondemned || isStarting || !isIdle()) return
    isOver = true
    kill()
  }
  const condemn = (ms = longestMs) => {
    isCondemned = true
    if (ms < withinMs) {
      withinMs = ms
      arm()
    }
    leave()
  }
  return {
    isCondemned: () => isCondemned,
    isOver: () => isOver,
    isLeaving: () => withinMs < longestMs || (isOver && isIdle()),
    isStarting: () => isStarting,
    leave,
    condemn,
    distrust() {
      isOver = true
      condemn()
    },
    end() {
      clearTimeout(deadline)
      isCondemned = isOver = true
    },
    async during(start) {
      isStarting = true
      const started = await start
      setImmediate(() => {
        isStarting = false
        arm()
        leave()
      })
      return started
    }
  }
}
