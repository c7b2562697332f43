import { exchange, isAnswered, type Reply } from '../client/reply.ts'
import { type Context, isBlocked } from '../scenario/context.ts'
import type { CheckScenario, Judge } from '../scenario/scenario.ts'
import type { Observation } from '../verdict/verdict.ts'
import type { Finding } from './finding.ts'

/** A failure counts only when it shows again; two more looks decide. */
const attemptsAfterFailure = 2

/** What a reply said, on one line that is short enough for a report. */
function said({ because, body }: Reply): string {
  const text = body.replaceAll(/\s+/g, ' ').trim()
  return text === '' ? because : `${because} ${text.length > 160 ? `${text.slice(0, 160)}…` : text}`
}

/** The judge a check talks to, and the notes taken of what it says. */
function listen(claimed: readonly string[]): { judge: Judge; notes: Observation[] } {
  const notes: Observation[] = []
  const note = (clause: string, seen: Omit<Observation, 'clause'>) => {
    if (!claimed.includes(clause)) throw new Error(`judges "${clause}" without claiming it`)
    notes.push({ clause, ...seen })
  }
  const judge: Judge = {
    verify(clause, seen, ...replies) {
      const { holds, saw } = typeof seen === 'boolean' ? { holds: seen, saw: undefined } : seen
      note(clause, {
        holds,
        observed: saw ?? said(replies.at(-1)!),
        answered: replies.every(isAnswered),
        exchanges: replies.map(exchange)
      })
    },
    observe(clause, seen, ...replies) {
      note(clause, {
        observed: seen,
        answered: replies.every(isAnswered),
        exchanges: replies.map(exchange)
      })
    }
  }
  return { judge, notes }
}

/** Runs a check, and again when a clause did not hold, and returns what was seen of each clause. */
export async function attend(options: {
  scenario: CheckScenario
  fresh: (attempt: string) => Context
  stopped: () => boolean
}): Promise<Finding[]> {
  const { scenario, fresh, stopped } = options
  const attempts: Observation[][] = []
  const look = async () => {
    const { judge, notes } = listen(scenario.clauses)
    await scenario.run(
      Object.defineProperties(fresh(`${attempts.length}`), {
        verify: { value: judge.verify },
        observe: { value: judge.observe }
      }) as Context & Judge
    )
    attempts.push(notes)
  }
  await look()
  const failed = attempts[0]!.some((note) => note.holds === false && note.answered)
  try {
    for (let more = 0; failed && more < attemptsAfterFailure && !stopped(); more++) await look()
  } catch (cause) {
    // What was used up by the first attempt cannot be asked again, and was still seen once.
    if (!isBlocked(cause)) throw cause
  }
  return scenario.clauses.map((clause) => ({
    clause,
    evidence: {
      kind: 'observations',
      attempts: attempts.map((notes) => notes.filter((note) => note.clause === clause))
    }
  }))
}
