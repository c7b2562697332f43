import type { ToGuest } from '../message.ts'
import { type SharedTurn, startup } from '../shared-turn.ts'
import { createQueue } from './own.ts'
import { accountOf, type Scope, scopeNow } from './scope.ts'

/** The turns of the guest: each begins with a message, and is on one scope's account. */
export type Turns = {
  /** Begins a turn; before it no code of the function may run. */
  open(scope: Scope): void
  /** Takes a message: the turn before it ends here. */
  take(message: ToGuest): void
  /** Whose code is running at this very moment; the running turn is charged to him. */
  who(): number
}

const lastTurn = 0x3fff_ffff

/** Processor time of this thread in microseconds; the first call makes the second one exact. */
function createCpuClock(): () => number {
  const { cpuUsage, threadCpuUsage } = process
  return () => {
    cpuUsage()
    const { user, system } = threadCpuUsage()
    return user + system
  }
}

/** Begins before the first turn. `dispatch` does what a message asks for, in a turn it opens. */
export function createTurns(parts: {
  sharedTurn: SharedTurn
  dispatch: (message: ToGuest) => void
  /** Looks at memory, at the end of a scope's turn. */
  weigh: (scope: Scope) => void
  /** Asks for a message, for what could not be done within this one. */
  wake: () => void
}): Turns {
  const { sharedTurn, dispatch, weigh, wake } = parts
  const cpuUs = createCpuClock()
  const deferred = createQueue<ToGuest>()
  let turn = 0
  let startUs = 0
  let owner: Scope | undefined
  let uncounted = 0
  let received = 0

  /** Says that messages were taken: not before their turn is open, or nobody would watch it. */
  const count = () => {
    for (; uncounted > 0; uncounted--) sharedTurn.take()
  }
  /** What a termination hit on its way here is lost: nobody may wait until it is taken. */
  const note = (message: ToGuest) => {
    const lost = message.t === 'resume' ? message.posted - received - 1 : 0
    received += 1 + lost
    uncounted += 1 + lost
  }
  const close = (): boolean => {
    if (!owner) return true
    weigh(owner)
    accountOf(owner).cpuUs += cpuUs() - startUs
    owner = undefined
    return sharedTurn.close(turn)
  }
  const open = (scope: Scope) => {
    turn = (turn % lastTurn) + 1
    owner = scope
    startUs = cpuUs()
    sharedTurn.own({ id: scope.id, startUs, beforeUs: accountOf(scope).cpuUs })
    sharedTurn.open(turn)
    count()
  }
  return {
    open,
    take(message) {
      note(message)
      deferred.push(message)
      // The host is about to end the turn that was: it must hit this waiting, and nothing else.
      if (!close()) sharedTurn.absorb(turn)
      for (let next = deferred.shift(); next; next = deferred.shift()) {
        if (next.t === 'resume') continue
        dispatch(next)
        count()
        if (deferred.size() > 0) wake()
        return
      }
      count()
    },
    who() {
      const scope = scopeNow()
      if (!scope) return 0
      // What came from another thread, while no turn was open, gets one of its own from here on.
      if (sharedTurn.turn() === 0) {
        if (owner) accountOf(owner).cpuUs += cpuUs() - startUs
        open(scope)
      } else if (owner && scope !== owner && scope.id !== startup) {
        // What the global scope left behind is charged to whoever sets it off.
        owner = scope
        sharedTurn.own({ id: scope.id, beforeUs: accountOf(scope).cpuUs })
      }
      return scope.id
    }
  }
}
