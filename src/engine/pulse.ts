import { clearInterval, setInterval } from 'node:timers'
import { threadId } from 'node:worker_threads'

/** Memory in which a thread shows whoever gave it work that it has begun, and still turns. */
export type Pulse = SharedArrayBuffer

const [beats, thread] = [0, 1]
const beatMs = 250
const lookMs = 500

/** A pulse of work that nobody has begun yet. */
export function createPulse(): Pulse {
  return new SharedArrayBuffer(8)
}

/** Does some work in this thread, with a pulse that beats for as long as its event loop turns. */
export async function beating<Value>(pulse: Pulse, work: () => Promise<Value>): Promise<Value> {
  const memory = new Int32Array(pulse)
  const beat = () => void Atomics.add(memory, beats, 1)
  Atomics.store(memory, thread, threadId)
  beat()
  const timer = setInterval(beat, beatMs).unref()
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

/** The thread that has begun the work; 0 where none has. */
export function threadOf(pulse: Pulse): number {
  return Atomics.load(new Int32Array(pulse), thread)
}

/**
 * Calls `onStill`, once, when a pulse has not beaten for so long while it should. What counts are
 * the looks of this thread: where it was held up itself, so may the other have been.
 */
export function watchPulse(
  pulse: Pulse,
  options: { stillMs: number; isDue: () => boolean; onStill: () => void }
): Disposable {
  const { stillMs, isDue, onStill } = options
  const memory = new Int32Array(pulse)
  let last = 0
  let looks = 0
  const timer = setInterval(() => {
    const now = Atomics.load(memory, beats)
    looks = now === last && isDue() ? looks + 1 : 0
    last = now
    if (looks * lookMs < stillMs) return
    clearInterval(timer)
    onStill()
  }, lookMs)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
