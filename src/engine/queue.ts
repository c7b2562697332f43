import PQueue from 'p-queue'

/** Where a piece of work stands in line: higher priorities first, `alone` as in a scenario. */
export type Place = { alone: readonly string[]; priority: number }

/** Work waiting for a worker thread. */
export type Queue = {
  /** Runs the work when its turn has come; resolves or rejects as the work does. */
  add: <Result>(place: Place, work: () => Promise<Result>) => Promise<Result>
}

/** Before every priority that is given: most bytes, or that others wait. */
const foremost = Number.MAX_VALUE

/**
 * A queue for `workers` threads. Work that names the same thing in `alone` never overlaps, and goes
 * before other work: a row of it that is left to the end keeps one thread busy, and all others
 * idle. Work that needs `everything` waits for all the rest and then runs one piece after another.
 */
export function createQueue(workers: number): Queue {
  const shared = new PQueue({ concurrency: workers })
  const solitary = new PQueue({ concurrency: 1 })
  const locks = new Map<string, PQueue>()
  const pending = new Set<Promise<unknown>>()

  const lock = (name: string) => {
    const known = locks.get(name) ?? new PQueue({ concurrency: 1 })
    locks.set(name, known)
    return known
  }
  // Locks are taken in one order by all, so that no two pieces of work can wait for each other.
  const holding = <Result>(names: string[], work: () => Promise<Result>): Promise<Result> => {
    const [name, ...rest] = names
    return name === undefined ? work() : lock(name).add(() => holding(rest, work))
  }
  const byItself = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    // What is added together with this work is pending only after the current turn.
    await Promise.resolve()
    while (pending.size > 0) await Promise.allSettled(pending)
    shared.pause()
    try {
      return await work()
    } finally {
      shared.start()
    }
  }

  return {
    add({ alone, priority }, work) {
      if (alone.includes('everything')) {
        return solitary.add(() => byItself(work), { priority })
      }
      const rank = alone.length > 0 ? foremost : priority
      const done = holding([...alone].sort(), () => shared.add(work, { priority: rank }))
      pending.add(done)
      done.then(
        () => pending.delete(done),
        () => pending.delete(done)
      )
      return done
    }
  }
}
