import type { History, Operation, Value } from './history.ts'

/** Operations that are done, as one text for those that are the same; and what the key holds. */
type State = { done: Uint8Array; first: number; latest: number; value: Value }

/**
 * Whether there is one order in which the operations may have happened one after the other, each at
 * a moment between its beginning and its end, with every read seeing what was written last. The key
 * holds nothing at first.
 */
export function isLinearizable(history: History): boolean {
  const operations = history.toSorted((one, other) => one.from - other.from)
  const known = new Set<string>()
  const open: State[] = [
    { done: new Uint8Array(operations.length), first: 0, latest: -Infinity, value: undefined }
  ]
  while (open.length > 0) {
    const state = open.pop()!
    if (isOver(operations, state)) return true
    const key = keyOf(state)
    if (known.has(key)) continue
    known.add(key)
    // The last one pushed is tried first: the one that began first, which is right most often.
    for (const index of nextOf(operations, state).reverse())
      open.push(after(operations, state, index))
  }
  return false
}

/** Those that may come next: nothing that must have happened before them is left. */
function nextOf(operations: History, { done, first, latest, value }: State): number[] {
  const next: number[] = []
  let earliestEnd = Infinity
  for (let index = first; index < operations.length; index++) {
    if (done[index] === 1) continue
    const { kind, from, to, isOpen, value: own } = operations[index]!
    if (from > earliestEnd) break
    if (!isOpen) earliestEnd = Math.min(earliestEnd, to)
    if (to >= latest && (kind === 'write' || own === value)) next.push(index)
  }
  return next.filter((index) => operations[index]!.from <= earliestEnd)
}

function after(operations: History, state: State, index: number): State {
  const { kind, from, value } = operations[index]!
  const done = state.done.slice()
  done[index] = 1
  const latest = Math.max(state.latest, from)
  const isPast = ({ isOpen, to }: Operation) => isOpen === true && to < latest
  let { first } = state
  // Open ones that can no longer happen have not happened.
  while (first < done.length && (done[first] === 1 || isPast(operations[first]!))) first++
  return { done, first, latest, value: kind === 'write' ? value : state.value }
}

function isOver(operations: History, { done, first }: State): boolean {
  for (let index = first; index < operations.length; index++)
    if (done[index] === 0 && !operations[index]!.isOpen) return false
  return true
}

function keyOf({ done, first, value }: State): string {
  const last = done.lastIndexOf(1)
  return `${first} ${done.subarray(first, Math.max(first, last + 1)).join('')} ${value}`
}

/**
 * The acknowledged writes that somebody found undone: a read that began after one had ended saw a
 * value that was certainly there before it and not written again since.
 */
export function lostWrites(history: History): Operation[] {
  const writes = history.filter(({ kind }) => kind === 'write')
  const reads = history.filter(({ kind }) => kind === 'read')
  const lastMoment = new Map<Value, number>([[undefined, -Infinity]])
  for (const { value, to, isOpen } of writes)
    lastMoment.set(value, Math.max(lastMoment.get(value) ?? -Infinity, isOpen ? Infinity : to))
  return writes.filter(
    ({ from, to, isOpen, value }) =>
      !isOpen &&
      reads.some((read) => {
        const written = lastMoment.get(read.value)
        return read.value !== value && read.from > to && written !== undefined && written < from
      })
  )
}
