import { type Judge, type Look, summary } from 'plimsoll'

/** Many questions about several clauses, each of which is judged by all about it. */
export type Tally = {
  add: (clause: string, look: Look) => void
  /** Judges every clause of which something was asked. */
  tell: (judge: Pick<Judge, 'verify'>) => void
}

/** Begins with no question. */
export function createTally(): Tally {
  const looks = new Map<string, Look[]>()
  return {
    add: (clause, look) => void looks.set(clause, [...(looks.get(clause) ?? []), look]),
    tell({ verify }) {
      for (const [clause, all] of looks) {
        const found = summary(all)
        if (found) verify(clause, ...found)
      }
    }
  }
}
