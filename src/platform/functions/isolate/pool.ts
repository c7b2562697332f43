import type { Instance } from './instance.ts'

/** The processes to run functions in: one in use for each function, some in waiting. */
export type InstancePool = {
  /** An instance for somebody new of this account, as soon as there is room for one. */
  take(owner: string): Promise<Instance>
  close(): Promise<void>
}

/** Who has to make room gets as long to end. */
export const graceMs = 800

/** How often it is looked whether somebody has come to rest who could make room. */
const restMs = 50

/** The instances in use, and whose they are. */
type InUse = Map<Instance, string>

/** How many instances an account has in use. */
function countOf(inUse: InUse, owner: string): number {
  let count = 0
  for (const one of inUse.values()) if (one === owner) count++
  return count
}

/**
 * Who makes room for one more of an account: at rest the one used least lately, whosever it is.
 * Where all are busy, the account that would have most of them gives up the one that has been
 * held the longest; while all of its own are starting, nobody has to go in their place.
 */
function victimOf(inUse: InUse, asking: string): Instance | undefined {
  const settled = [...inUse.keys()].filter((instance) => !instance.isStarting())
  const resting = settled.filter(({ occupiedSinceMs }) => occupiedSinceMs() === undefined)
  if (resting.length > 0) return resting.sort((a, b) => a.usedMs() - b.usedMs())[0]
  const share = (owner: string) => countOf(inUse, owner) + (owner === asking ? 1 : 0)
  const most = Math.max(...[...inUse.values()].map(share))
  return settled
    .filter((instance) => share(inUse.get(instance)!) === most)
    .sort((a, b) => a.occupiedSinceMs()! - b.occupiedSinceMs()!)[0]
}

/** Who waits for an instance. */
type Waiting = PromiseWithResolvers<Instance> & { owner: string }

/** Whose turn it is: of the account that has fewest in use, who has waited the longest. */
function nextOf(queue: Waiting[], inUse: InUse): Waiting {
  return queue.toSorted((a, b) => countOf(inUse, a.owner) - countOf(inUse, b.owner))[0]!
}

/** Processes that are begun before anybody asks for one. */
function createSpares(make: () => Instance, most: number) {
  const waiting: Instance[] = []
  let isClosed = false
  const fill = () => {
    while (!isClosed && waiting.length < most) waiting.push(make())
  }
  return {
    /** One of them, or one made now. */
    take(): Instance {
      setImmediate(fill)
      let found = waiting.shift()
      while (found?.isCondemned()) found = waiting.shift()
      return found ?? make()
    },
    close() {
      isClosed = true
    }
  }
}

/** Begins with nobody; never are there more than `most` in use and `spares` in waiting. */
export function createInstancePool(options: {
  start: () => Instance
  spares: number
  most: number
}): InstancePool {
  const { start, most } = options
  const inUse: InUse = new Map()
  const all = new Set<Instance>()
  const queue: Waiting[] = []
  let [isClosed, isServing] = [false, false]
  const spares = createSpares(() => {
    const instance = start()
    all.add(instance)
    void instance.exited.then(() => {
      all.delete(instance)
      inUse.delete(instance)
    })
    return instance
  }, options.spares)
  /** Has somebody make room, unless somebody does, and waits for it where there is none at once. */
  const makeRoom = async (owner: string) => {
    const isComing = [...inUse.keys()].some((instance) => instance.isLeaving())
    const victim = isComing ? undefined : victimOf(inUse, owner)
    victim?.condemn(graceMs)
    // One at rest is killed by that, and in nobody's use while the system takes it away.
    if (victim?.isOver()) return void inUse.delete(victim)
    const rest = new Promise((resolve) => setTimeout(resolve, restMs))
    await Promise.race([rest, ...[...inUse.keys()].map(({ exited }) => exited)])
  }
  const give = (to: Waiting) => {
    queue.splice(queue.indexOf(to), 1)
    try {
      const instance = spares.take()
      inUse.set(instance, to.owner)
      to.resolve(instance)
    } catch (error) {
      to.reject(error)
    }
  }
  /** Serves all who wait; who comes meanwhile may be before them. */
  const serve = async () => {
    if (isServing) return
    isServing = true
    while (queue.length > 0 && !isClosed) {
      const next = nextOf(queue, inUse)
      if (inUse.size >= most) await makeRoom(next.owner)
      else {
        give(next)
        // Who was given one has to begin with it, or it would seem to be at rest.
        await new Promise(setImmediate)
      }
    }
    isServing = false
    for (const { reject } of queue.splice(0)) reject(new Error('functions run no more'))
  }
  return {
    take(owner) {
      const taken = { ...Promise.withResolvers<Instance>(), owner }
      queue.push(taken)
      void serve()
      return taken.promise
    },
    async close() {
      isClosed = true
      spares.close()
      const exits = [...all].map(({ exited }) => exited)
      for (const instance of all) instance.kill()
      await Promise.all(exits)
    }
  }
}
