import type { IsolateLimits, Outcome } from '../contract.ts'
import { type SharedTurn, startup } from '../shared-turn.ts'
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

/** So much of it, on nobody's account, is not what a message or a collection takes. */
const mostStrayUs = 1_000_000
const nobody = 0

/** Looking at memory has the guest work a little: that alone must not be a reason to look again. */
const idleUs = 500
const patienceMs = { who: 200, terminate: 1_000 }

/** Starts watching with the first kick. */
export function createWatchdog(options: {
  inspector: Inspector
  sharedTurn: SharedTurn
  thread: Pick<ThreadClock, 'cpuUs'>
  limits: Pick<IsolateLimits, 'memoryBytes'>
  /** Bytes in use. */
  gauge: () => Promise<number>
  /** Microseconds the owner of the turn that is open has used. */
  usedUs: (owner: ReturnType<SharedTurn['owner']>) => number
  /** Milliseconds he may use. */
  budgetMs: (owner: number) => number
  onOver: (owner: number, outcome: Over) => void
  /** The guest does not let itself be stopped. */
  onStuck: (owner: number, outcome: Over) => void
  /**
   * A turn is about to be ended from outside. If it comes to its end by itself just then, that hits
   * the next message, which must be one that is nothing to anybody.
   */
  onCondemned: () => void
  /** A turn was ended from outside: the guest needs a message to go on. */
  onEnded: () => void
  /** Before each look. */
  onLook: () => void
  /** Whether anybody's code may run there, though no message is under way. */
  isOccupied: () => boolean
}): Watchdog {
  const { inspector, sharedTurn, limits, gauge } = options
  const { cpuUs } = options.thread
  let [isArmed, posted] = [false, 0]
  let seen = { turn: 0, usedUs: 0 }
  const goesOn = createOrphans()
  const lookOutside = createLookOutside(options)

  /** Has the owner of a turn stopped, and the turn with him where it is running. */
  const stop = async (turn: number, outcome: Over) => {
    const { id } = sharedTurn.owner()
    // What arrived from elsewhere may run within this turn for another: asks in its midst.
    const who = id === startup ? id : await inspector.call('who', { ms: patienceMs.who, cpuUs })
    if (sharedTurn.turn() !== turn || (typeof who === 'number' && who > 0 && who !== id)) return
    // Nothing runs: to end what does not would end nothing, or whatever comes next.
    if (who === 0 && !goesOn(turn, cpuUs())) return options.onOver(id, outcome)
    if (!sharedTurn.condemn(turn)) return
    options.onCondemned()
    const hasEnded = await inspector.terminate({ ms: patienceMs.terminate, cpuUs })
    if (!hasEnded) return options.onStuck(id, outcome)
    sharedTurn.settle(turn)
    options.onOver(id, outcome)
    options.onEnded()
  }
  /** Looks at the turn that is open; returns milliseconds until the next look. */
  const look = async (turn: number): Promise<number> => {
    const owner = sharedTurn.owner()
    const usedUs = options.usedUs(owner)
    const leftMs = options.budgetMs(owner.id) - usedUs / 1_000
    if (sharedTurn.turn() !== turn) return 1
    const isIdle = seen.turn === turn && usedUs - seen.usedUs < idleUs
    if (!isIdle) seen = { turn, usedUs }
    // Which limit was met first must not depend on when it was looked: memory goes before.
    if ((leftMs <= 0 || !isIdle) && (await gauge()) > limits.memoryBytes) {
      if (sharedTurn.turn() > 0) await stop(sharedTurn.turn(), 'exceededMemory')
      return 1
    }
    if (leftMs <= 0) {
      await stop(turn, 'exceededCpu')
      return 1
    }
    return Math.max(1, Math.min(isIdle ? idleLookMs : busyLookMs, leftMs))
  }
  const isBehind = () => sharedTurn.taken() < posted
  const tick = async () => {
    options.onLook()
    const turn = sharedTurn.turn()
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
 * Tells whether a turn in which nobody's code seemed to run goes on all the same: then it has only
 * hidden whose it is.
 */
function createOrphans(): (turn: number, usedUs: number) => boolean {
  let orphan = { turn: 0, usedUs: 0 }
  return (turn, usedUs) => {
    if (orphan.turn !== turn) orphan = { turn, usedUs }
    return usedUs - orphan.usedUs > strayUs
  }
}

/**
 * What comes from another thread, such as a digest, may come after one turn has ended and before
 * the next has begun. Who spends time there is asked who he is, which gives him a turn.
 */
function createLookOutside(
  options: Pick<
    Parameters<typeof createWatchdog>[0],
    'inspector' | 'sharedTurn' | 'thread' | 'onStuck'
  >
): () => Promise<void> {
  const { inspector, sharedTurn } = options
  const { cpuUs } = options.thread
  let seen = { taken: -1, usedUs: 0 }
  let strayedUs = 0
  return async () => {
    const now = { taken: sharedTurn.taken(), usedUs: cpuUs() }
    if (now.taken !== seen.taken) {
      seen = now
      strayedUs = 0
    }
    if (now.usedUs - seen.usedUs < strayUs) return
    const who = await inspector.call('who', { ms: patienceMs.who, cpuUs })
    strayedUs = who ? 0 : strayedUs + cpuUs() - seen.usedUs
    // There is nobody to end in there: what it is goes with everything around it.
    if (strayedUs > mostStrayUs) options.onStuck(nobody, 'exceededCpu')
    seen = { ...now, usedUs: cpuUs() }
  }
}
