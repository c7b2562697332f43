import type { Instance } from './instance.ts'

/** The processes to run functions in: one in use for each function, some in waiting. */
export type InstancePool = {
  /** An instance for somebody new, as soon as there is room for one. */
  take(): Promise<Instance>
  close(): Promise<void>
}

/** Who has to make room gets as long to end. */
export const graceMs = 800

/** How often it is looked whether somebody has come to rest who could make room. */
const restMs = 50

/** Who makes room: at rest the one used least lately, else where somebody has stayed longest. */
function victimOf(inUse: Iterable<Instance>): Instance | undefined {
  const settled = [...inUse].filter((instance) => !instance.isStarting())
  const occupied = ({ occupiedSinceMs }: Instance) => occupiedSinceMs() ?? -Infinity
  return settled.sort((a, b) => occupied(a) - occupied(b) || a.usedMs() - b.usedMs())[0]
}

/** Begins with nobody; never are there more than `most` in use and `spares` in waiting. */
export function createInstancePool(options: {
  start: () => Instance
  spares: number
  most: number
}): InstancePool {
  const { start, spares, most } = options
  const waiting: Instance[] = []
  const inUse = new Set<Instance>()
  const all = new Set<Instance>()
  let isClosed = false
  let queue: Promise<unknown> = Promise.resolve()
  const make = () => {
    const instance = start()
    all.add(instance)
    void instance.exited.then(() => {
      all.delete(instance)
      inUse.delete(instance)
    })
    return instance
  }
  const fill = () => {
    while (!isClosed && waiting.length < spares) waiting.push(make())
  }
  /** Waits until one more may be in use. */
  const room = async () => {
    while (!isClosed && inUse.size >= most) {
      const isComing = [...inUse].some((instance) => instance.isLeaving())
      if (!isComing) victimOf(inUse)?.condemn(graceMs)
      const rest = new Promise((resolve) => setTimeout(resolve, restMs))
      await Promise.race([rest, ...[...inUse].map(({ exited }) => exited)])
    }
  }
  const obtain = (): Instance => {
    if (isClosed) throw new Error('functions run no more')
    setImmediate(fill)
    let found = waiting.shift()
    while (found?.isCondemned()) found = waiting.shift()
    const instance = found ?? make()
    inUse.add(instance)
    return instance
  }
  return {
    take() {
      const taken = queue.then(room).then(obtain)
      queue = taken.catch(() => {})
      return taken
    },
    async close() {
      isClosed = true
      const exits = [...all].map(({ exited }) => exited)
      for (const instance of all) instance.kill()
      await Promise.all(exits)
    }
  }
}
