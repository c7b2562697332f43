/** Words at the beginning of the memory, and numbers after them. */
const [orderAt, readyAt, answerAt] = [0, 1, 2]
const [dueAt, usedAt] = [2, 3]
const bytes = 32

/**
 * What a ticker and its thread tell one another, in memory that both have: new, or that which was
 * handed over.
 */
export function openTickerMemory(shared = new SharedArrayBuffer(bytes)) {
  const words = new Int32Array(shared)
  const numbers = new Float64Array(shared)
  return {
    shared,
    /**
     * Gives the order to answer at a moment of the machine's clock, in place of any before it. Whom
     * the function returned is told hears of that answer, or of one to an order before that was
     * still to come, however soon it came.
     */
    give(dueMs: number): (onAnswer: () => void) => void {
      // Read later, this may be the answer to this very order, which then nobody would hear of.
      const answered = Atomics.load(words, answerAt)
      // Who sees the number of an order sees its moment, or that of a later one.
      numbers[dueAt] = dueMs
      Atomics.add(words, orderAt, 1)
      Atomics.notify(words, orderAt)
      return (onAnswer) => {
        const answer = Atomics.waitAsync(words, answerAt, answered)
        if (answer.async) answer.value.then(onAnswer)
        else setImmediate(onAnswer)
      }
    },
    /** The number of the last order. */
    order: () => Atomics.load(words, orderAt),
    /** The moment of the last order; Infinity before the first. */
    dueMs: () => (Atomics.load(words, orderAt) === 0 ? Infinity : numbers[dueAt]!),
    /** Sleeps until there is another order than this one, at most so long; says which it was. */
    sleep: (order: number, ms: number) => Atomics.wait(words, orderAt, order, ms),
    answer(order: number): void {
      Atomics.store(words, answerAt, order)
      Atomics.notify(words, answerAt)
    },
    isReady: () => Atomics.load(words, readyAt) === 1,
    setReady: () => void Atomics.store(words, readyAt, 1),
    /** Processor time of the thread, in milliseconds. */
    usedMs: () => numbers[usedAt]!,
    tellUsed({ user, system }: NodeJS.CpuUsage): void {
      numbers[usedAt] = (user + system) / 1_000
    }
  }
}
