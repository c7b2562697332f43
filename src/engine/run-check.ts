import type { ExchangeLog } from '../client/exchange-log.ts'
import { exchange, type Reply, said } from '../client/reply.ts'
import { type Clock, longestTimerMs, clock as machine } from '../clock.ts'
import { isBlocked } from '../scenario/blocked.ts'
import type { Context } from '../scenario/context.ts'
import type { CheckScenario, Judge } from '../scenario/scenario.ts'
import { isBroken, isOpen, standOf } from '../verdict/attempt.ts'
import type { Observation } from '../verdict/verdict.ts'
import type { Finding } from './finding.ts'
import type { Precondition } from './precondition.ts'

/** Attempts while a target is accused, and while what was seen is only in doubt. */
const most = { accused: 5, doubted: 3 }

/** What is in doubt for so long is not looked at again. */
const doubtedMs = 30_000

/** All attempts together may take as long as so many of the longest. */
const attemptsAtMost = 3

/**
 * Something that is over, with true, when an attempt has had its time: that which it may take in
 * any case, and half of it again as long as answers come, until `lastMs` of the clock.
 */
function due(
  clock: Clock,
  { mostMs, lastMs, answered }: { mostMs: number; lastMs: number; answered: () => number }
): { over: Promise<true> } & Disposable {
  const letGo = new AbortController()
  const { signal } = letGo
  const over = async () => {
    let known = -1
    const begunMs = clock.now()
    for (let halves = 1; halves <= 2 || answered() > known; halves++) {
      known = answered()
      const untilMs = Math.min(begunMs + (halves * mostMs) / 2, lastMs)
      await clock.until(untilMs, signal)
      if (untilMs >= lastMs || signal.aborted) break
    }
    return true as const
  }
  return { over: over(), [Symbol.dispose]: () => letGo.abort() }
}

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

/** What of an attempt counts that was not at its end: what speaks against a target. */
function accusing(notes: readonly Observation[]): Observation[] {
  return notes.filter(({ holds }) => holds === false)
}

/** What was found of each clause; why, of one that an attempt without an end left open. */
function found(
  clauses: readonly string[],
  attempts: readonly Observation[][],
  endless: string | undefined
): Finding[] {
  return clauses.map((clause) => {
    const own = attempts.map((notes) => notes.filter((note) => note.clause === clause))
    if (endless !== undefined && own.every((notes) => standOf(clause, notes) === 'silent'))
      return { clause, evidence: { kind: 'none', outcome: 'error', because: endless } }
    return { clause, evidence: { kind: 'observations', attempts: own } }
  })
}

/** What a check came to, and whether its code was busy yet, with an attempt that took too long. */
export type Checked = { findings: Finding[]; isBusy: boolean }

/**
 * Runs a check, and again while a clause did not hold or what was seen is in doubt, and returns
 * what each attempt saw. All of an attempt is in doubt when any request of it was not answered to
 * the point, or when something else than the target turns out to answer; what speaks for the target
 * also when an answer is not its own by its form, and what accuses it when a canary does not work
 * right after it. Of an attempt that takes longer than `mostMs`, though in the last half of that no
 * answer came, or than is left of three times that for all, only what accuses the target counts,
 * and no other follows it.
 */
export async function runCheck(options: {
  scenario: CheckScenario
  fresh: (attempt: string) => Context
  ledger: ExchangeLog
  precondition: Precondition
  stopped: () => boolean
  /** Default: as long as it takes. */
  mostMs?: number
  clock?: Clock
}): Promise<Checked> {
  const { scenario, fresh, ledger, precondition, stopped } = options
  const { mostMs = longestTimerMs, clock = machine } = options
  const { clauses } = scenario
  const attempts: Observation[][] = []
  let left: Left = new Map()
  let [isBusy, tookMs] = [false, 0]
  const began = clock.now()
  const look = async () => {
    ledger.clear()
    const { judge, notes: taken, left: open } = listen(clauses, ledger)
    let notes = taken
    left = open
    const lastMs = began + attemptsAtMost * mostMs
    const begunMs = clock.now()
    using turn = due(clock, { mostMs, lastMs, answered: ledger.answered })
    try {
      const context = Object.defineProperties(fresh(`${attempts.length}`), {
        verify: { value: judge.verify },
        observe: { value: judge.observe },
        leave: { value: judge.leave }
      }) as Context & Judge
      isBusy = await Promise.race([scenario.run(context).then(() => false), turn.over])
      if (isBusy) notes = accusing(notes)
      tookMs = clock.now() - begunMs
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
  const isWorthAnother = () => {
    const open = isBusy ? [] : clauses.filter((clause) => isOpen(clause, attempts))
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
  if (!isBusy) attempts.at(-1)!.push(...silence(clauses, attempts, { first: ledger.first(), left }))
  const endless = `did not end within ${Math.round(tookMs / 1_000)} s; its thread was ended`
  return { findings: found(clauses, attempts, isBusy ? endless : undefined), isBusy }
}
