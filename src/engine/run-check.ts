import type { ExchangeLog } from '../client/exchange-log.ts'
import { exchange, type Reply, said } from '../client/reply.ts'
import { clock } from '../clock.ts'
import { isBlocked } from '../scenario/blocked.ts'
import type { Context } from '../scenario/context.ts'
import type { CheckScenario, Judge } from '../scenario/scenario.ts'
import { isBroken, isOpen } from '../verdict/attempt.ts'
import type { Observation } from '../verdict/verdict.ts'
import type { Finding } from './finding.ts'
import type { Precondition } from './precondition.ts'

/** Attempts while a target is accused, and while what was seen is only in doubt. */
const most = { accused: 5, doubted: 3 }

/** What is in doubt for so long is not looked at again. */
const doubtedMs = 30_000

/** By clause: the answer that it cannot be judged by, in words. */
type Left = Map<string, { seen: string; reply: Reply }>

/** The judge a check talks to, and the notes taken of what it says. */
function listen(
  claimed: readonly string[],
  ledger: ExchangeLog
): { judge: Judge; notes: Observation[]; left: Left } {
  const notes: Observation[] = []
  const left: Left = new Map()
  const note = (clause: string, seen: { holds?: boolean; observed: string }, replies: Reply[]) => {
    if (!claimed.includes(clause)) throw new Error(`judges "${clause}" without claiming it`)
    const [doubt] = replies.flatMap((reply) => ledger.gapIn(reply) ?? [])
    const exchanges = replies.map(exchange)
    notes.push({ clause, ...seen, answered: doubt === undefined, doubt, exchanges })
  }
  const judge: Judge = {
    verify(clause, seen, ...replies) {
      const { holds, saw } = typeof seen === 'boolean' ? { holds: seen, saw: undefined } : seen
      note(clause, { holds, observed: saw ?? said(replies.at(-1)!) }, replies)
    },
    observe(clause, seen, ...replies) {
      note(clause, { observed: seen }, replies)
    },
    leave(clause, seen, reply) {
      left.set(clause, { seen, reply })
    }
  }
  return { judge, notes, left }
}

/** The same notes, of which some count for nothing. */
function doubting(
  notes: Observation[],
  doubt: string | undefined,
  isDoubted: (note: Observation) => boolean = () => true
): Observation[] {
  if (doubt === undefined) return notes
  return notes.map((note) =>
    note.answered && isDoubted(note) ? { ...note, answered: false, doubt } : note
  )
}

/** What is known of clauses that no attempt judged: by which answer, or what came at first. */
function silence(
  clauses: readonly string[],
  attempts: readonly Observation[][],
  { first, left }: { first: Reply | undefined; left: Left }
): Observation[] {
  if (first === undefined) return []
  const told = new Set(attempts.flat().map(({ clause }) => clause))
  const silent = clauses.filter((clause) => !told.has(clause))
  return silent.map((clause) => {
    const { seen, reply } = left.get(clause) ?? {
      seen: `the first answer was ${said(first)}`,
      reply: first
    }
    const doubt = `the scenario came to no conclusion; ${seen}`
    const nothing = { answered: false, observed: 'nothing', doubt }
    return { clause, ...nothing, exchanges: [exchange(reply)] }
  })
}

/**
 * Runs a check, and again while a clause did not hold or what was seen is in doubt, and returns
 * what each attempt saw. All of an attempt is in doubt when any request of it was not answered to
 * the point, or when something else than the target turns out to answer; what speaks for the target
 * also when an answer is not its own by its form, and what accuses it when a canary does not work
 * right after it.
 */
export async function runCheck(options: {
  scenario: CheckScenario
  fresh: (attempt: string) => Context
  ledger: ExchangeLog
  precondition: Precondition
  stopped: () => boolean
}): Promise<Finding[]> {
  const { scenario, fresh, ledger, precondition, stopped } = options
  const { clauses } = scenario
  const attempts: Observation[][] = []
  let left: Left = new Map()
  const look = async () => {
    ledger.clear()
    const { judge, notes, left: open } = listen(clauses, ledger)
    left = open
    try {
      await scenario.run(
        Object.defineProperties(fresh(`${attempts.length}`), {
          verify: { value: judge.verify },
          observe: { value: judge.observe },
          leave: { value: judge.leave }
        }) as Context & Judge
      )
    } catch (cause) {
      // A scenario that stumbles over an outage is not at fault.
      const outage = ledger.gap() ?? ledger.foreign()
      if (outage === undefined || isBlocked(cause)) throw cause
      const lost = { answered: false, observed: 'nothing', doubt: outage, exchanges: [] }
      notes.push(...clauses.map((clause) => ({ clause, ...lost })))
    }
    const whole = doubting(notes, ledger.gap())
    const own = doubting(whole, ledger.foreign(), (note) => note.holds !== false)
    const fault = own.some(isBroken) ? await precondition.vouch(ledger.asked()) : undefined
    const vouched = doubting(own, fault, isBroken)
    attempts.push(doubting(vouched, await precondition.stranger(ledger.asked())))
  }
  const began = clock.now()
  const isWorthAnother = () => {
    const open = clauses.filter((clause) => isOpen(clause, attempts))
    if (open.length === 0) return false
    const isAccused = attempts.flat().some((note) => isBroken(note) && open.includes(note.clause))
    if (isAccused) return attempts.length < most.accused
    return attempts.length < most.doubted && clock.now() - began < doubtedMs
  }
  await look()
  try {
    while (isWorthAnother() && !stopped()) {
      if ((await precondition.missing()) !== undefined) break
      await look()
    }
  } catch (cause) {
    // What was used up by the first attempt cannot be asked again, and was still seen once.
    if (!isBlocked(cause)) throw cause
  }
  attempts.at(-1)!.push(...silence(clauses, attempts, { first: ledger.first(), left }))
  return clauses.map((clause) => ({
    clause,
    evidence: {
      kind: 'observations',
      attempts: attempts.map((notes) => notes.filter((note) => note.clause === clause))
    }
  }))
}
