import type { IsolateLimits, Outcome } from '../contract.ts'
import { type Ledger, startup } from '../ledger.ts'
import type { Inspector } from './inspector.ts'
import type { ThreadClock } from './thread-clock.ts'

/** What watches over the guest while it works, and stops it where it goes too far. */
export type Watchdog = {
  /** A message was posted to the guest. */
  kick(): void
  /** Whether there are messages that the guest has not taken. */
  isBehind(): boolean
}

/** What a turn is stopped for. */
export type Over = Extract<Outcome, 'exceededCpu' | 'exceededMemory'>

const firstLookMs = 4
const busyLookMs = 5
const idleLookMs = 20
const lateLookMs = 2

/** So much of the guest's time outside of any turn is worth a question. */
const strayUs = 5_000

/** Looking at memory has the guest work a little: that alone must not be a reason to look again. */
const idleUs = 500
const patienceMs = { who: 200, terminate: 1_000 }

/** Starts watching with the first kick. */
export function createWatchdog(options: {
  inspector: Inspector
  ledger: Ledger
  thread: Pick<ThreadClock, 'cpuUs'>
  limits: Pick<IsolateLimits, 'memoryBytes'>
  /** Bytes in use. */
  gauge: () => Promise<number>
  /** Microseconds the owner of the turn that is open has used. */
  usedUs: (owner: ReturnType<Ledger['owner']>) => number
  /** Milliseconds he may use. */
  budgetMs: (owner: number) => number
  onOver: (owner: number, outcome: Over) => void
  /** The guest does not let itself be stopped. */
  onStuck: (owner: number, outcome: Over) => void
  /** A turn was ended from outside: the guest needs a message to go on. */
  onEnded: () => void
  /** Whether anybody's code may run there, though no message is under way. */
  isOccupied: () => boolean
}): Watchdog {
  const { inspector, ledger, limits, gauge } = options
  const { cpuUs } = options.thread
  let isArmed = false
  let posted = 0
  let seen = { turn: 0, usedUs: 0 }
  const lookOutside = createLookOutside(options)

  const isFull = async () => (await gauge()) > limits.memoryBytes
  /** Has the owner of a turn stopped, and the turn with him where it is running. */
  const stop = async (turn: number, outcome: Over) => {
    const { id } = ledger.owner()
    // What arrived from elsewhere may run within this turn for another: asks in its midst.
    const who =
      id === startup ? id : await inspector.evaluate('__who()', { ms: patienceMs.who, cpuUs })
    if (ledger.turn() !== turn || (typeof who === 'number' && who > 0 && who !== id)) return
    // Nothing runs: to end what does not would end nothing, or whatever comes next.
    if (who === 0) return options.onOver(id, outcome)
    if (!ledger.condemn(turn)) return
    const hasEnded = await inspector.terminate({ ms: patienceMs.terminate, cpuUs })
    if (!hasEnded) return options.onStuck(id, outcome)
    ledger.settle(turn)
    options.onOver(id, outcome)
    options.onEnded()
  }
  /** Looks at the turn that is open; returns milliseconds until the next look. */
  const look = async (turn: number): Promise<number> => {
    const owner = ledger.owner()
    const usedUs = options.usedUs(owner)
    const leftMs = options.budgetMs(owner.id) - usedUs / 1_000
    if (ledger.turn() !== turn) return 1
    const isIdle = seen.turn === turn && usedUs - seen.usedUs < idleUs
    if (!isIdle) seen = { turn, usedUs }
    // Which limit was met first must not depend on when it was looked: memory goes before.
    if ((leftMs <= 0 || !isIdle) && (await isFull())) {
      if (ledger.turn() > 0) await stop(ledger.turn(), 'exceededMemory')
      return 1
    }
    if (leftMs <= 0) {
      await stop(turn, 'exceededCpu')
      return 1
    }
    return Math.max(1, Math.min(isIdle ? idleLookMs : busyLookMs, leftMs))
  }
  const isBehind = () => ledger.taken() < posted
  const tick = async () => {
    const turn = ledger.turn()
    if (turn > 0) return void setTimeout(tick, await look(turn))
    const late = isBehind()
    if (!late && !options.isOccupied()) {
      isArmed = false
      return
    }
    await lookOutside()
    setTimeout(tick, late ? lateLookMs : idleLookMs)
  }
  return {
    kick() {
      posted++
      if (isArmed) return
      isArmed = true
      setTimeout(tick, firstLookMs)
    },
    isBehind
  }
}

/**
 * What comes from another thread, such as a digest, may come after one turn has ended and before
 * the next has begun. Who spends time there is asked who he is, which gives him a turn.
 */
function createLookOutside(
  options: Pick<Parameters<typeof createWatchdog>[0], 'inspector' | 'ledger' | 'thread'>
): () => Promise<void> {
  const { inspector, ledger } = options
  const { cpuUs } = options.thread
  let seen = { taken: -1, usedUs: 0 }
  return async () => {
    const now = { taken: ledger.taken(), usedUs: cpuUs() }
    if (now.taken !== seen.taken) seen = now
    if (now.usedUs - seen.usedUs < strayUs) return
    await inspector.evaluate('__who()', { ms: patienceMs.who, cpuUs })
    seen = { ...now, usedUs: cpuUs() }
  }
}
