import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { accountOf, type Scope } from './scope.ts'

const { max } = Math

/** The guest's own look at its memory. */
export type Memory = {
  /** Takes down what a scope's turn added, and tells when that made it too much. */
  weigh(scope: Scope): void
  collect(): void
  /** Bytes in use before there is a function, which are not counted. */
  ownBytes: number
}

/** Takes the garbage collector, which functions do not get to see. */
function takeCollector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  setFlagsFromString('--no-expose-gc')
  return collect
}

/** Begins to look; `limits` are known once there is something to run. */
export function createMemory(parts: {
  limits: () => { memoryBytes: number; buffersCount: boolean }
  /** Goes through all there are. */
  eachScope: (each: (scope: Scope) => void) => void
  onFull: (full: { invocation: number; bytes: number }) => void
}): Memory {
  const collect = takeCollector()
  let before = 0
  const bytesInUse = () => {
    const heap = getHeapStatistics()
    return heap.used_heap_size + (parts.limits().buffersCount ? heap.external_memory : 0) - ownBytes
  }
  let ownBytes = 0
  collect()
  ownBytes = bytesInUse()
  /** Who added most of it, as far as turns can tell. */
  const heaviest = (scope: Scope) => {
    let found = scope
    parts.eachScope((other) => {
      if (accountOf(other).grownBytes > accountOf(found).grownBytes) found = other
    })
    return found
  }
  return {
    collect,
    ownBytes,
    weigh(scope) {
      const { memoryBytes } = parts.limits()
      const account = accountOf(scope)
      let bytes = bytesInUse()
      account.peakBytes = max(account.peakBytes, bytes)
      if (bytes > memoryBytes) {
        // Buffers are swept by another thread: the first reading may still count freed ones.
        collect()
        collect()
        bytes = bytesInUse()
      }
      account.grownBytes += max(0, bytes - before)
      before = bytes
      if (bytes > memoryBytes) parts.onFull({ invocation: heaviest(scope).id, bytes })
    }
  }
}
