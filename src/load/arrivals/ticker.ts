import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { clock } from '../../clock.ts'
import { openTickerMemory } from './ticker-memory.ts'

/** Wakes this thread's loop at moments that its own timers are too coarse for. */
export type Ticker = {
  /**
   * Calls in so many milliseconds, or a little earlier. Where no thread can see to it, or while
   * another call is still to come, it does nothing and says false.
   */
  wake(inMs: number, call: () => void): boolean
  /** Processor time of its thread so far, in milliseconds. */
  usedMs(): number
  /** Ends its thread. What is still to come does; whoever asks again has another thread. */
  end(): void
}

const file = new URL(`./ticker-thread${extname(import.meta.url)}`, import.meta.url)

/** A wake later than this is a timer's: its thread has no processor, or is gone. */
const usualGraceMs = 2

/**
 * A ticker whose thread sleeps until a moment and then says so, for which the loop waits as for a
 * socket. It is started when it is first asked for, and holds up no process that is over.
 */
export function createTicker({ graceMs = usualGraceMs } = {}): Ticker {
  let thread: ReturnType<typeof startThread> | undefined
  let held: (() => void) | undefined
  return {
    wake(inMs, call) {
      thread ??= startThread()
      const { memory, isReady } = thread
      if (held !== undefined || !isReady()) return false
      const fire = () => {
        if (held !== fire) return
        held = undefined
        clearTimeout(timer)
        call()
      }
      const timer = setTimeout(fire, Math.ceil(inMs) + graceMs)
      held = fire
      memory.give(clock.now() + inMs)(fire)
      return true
    },
    usedMs: () => thread?.memory.usedMs() ?? 0,
    end() {
      thread?.end()
      thread = undefined
    }
  }
}

/** Starts a thread; one that falls is never ready again. */
function startThread() {
  const memory = openTickerMemory()
  let isGone = false
  const fall = () => {
    isGone = true
  }
  let worker: Worker | undefined
  try {
    worker = new Worker(file, { workerData: memory.shared, name: 'ticker' })
    worker.on('error', fall).on('exit', fall).unref()
  } catch {
    // A system that has no room for one more thread: whoever asks does without.
    fall()
  }
  return {
    memory,
    isReady: () => !isGone && memory.isReady(),
    end: () => void worker?.terminate()
  }
}
