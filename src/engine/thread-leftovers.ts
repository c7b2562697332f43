import type { Leftover } from './confine.ts'
import type { Unit } from './unit.ts'

/** What scenarios leave behind in threads that others use after them, and whose it is. */
export type ThreadLeftovers = {
  /** A unit's work ended well in that thread: what happens there by itself is of its making. */
  leave: (thread: number, unit: Unit) => void
  /** Whatever becomes of that thread is told otherwise. */
  forget: (thread: number) => void
  add: (leftover: Leftover) => void
  /** One of each scenario, those counted in that left a thread behind which is no more. */
  all: () => Leftover[]
}

/** Keeps account of what is left behind, where `threads` are those that are there. */
export function createThreadLeftovers(threads: () => readonly number[]): ThreadLeftovers {
  const last = new Map<number, Unit>()
  const told = new Map<string, Leftover>()
  const add = (leftover: Leftover) => {
    if (!told.has(leftover.scenario)) told.set(leftover.scenario, leftover)
  }
  return {
    leave: (thread, unit) => void last.set(thread, unit),
    forget: (thread) => void last.delete(thread),
    add,
    all() {
      const there = new Set(threads())
      for (const [thread, { scenario, file }] of last) {
        if (there.has(thread)) continue
        const message = 'its thread fell, or had to be ended since it stood still'
        add({ kind: 'leftover', scenario, fault: { name: '', message, file } })
      }
      return [...told.values()]
    }
  }
}
