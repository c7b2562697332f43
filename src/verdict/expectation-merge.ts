import {
  type Expectations,
  entryFor,
  type KnownDeviation,
  type KnownObservation
} from './expectation.ts'
import { holdsNow } from './expectation-mismatch.ts'
import { indexed, type Subject } from './subject.ts'
import { contradicting, type Verdict } from './verdict.ts'

/** Why new failures are accepted, and until which day. */
export type Acceptance = { reason: string; until: string }

/** Expectations after a run was taken into them, and what became of them by that. */
export type Merged = {
  expectations: Expectations
  added: { deviations: number; observations: number }
  /** Clauses whose entries say something else than the run, or are not needed any more. */
  differing: Subject[]
}

function isContradicting({ outcome }: Verdict): boolean {
  return contradicting.includes(outcome)
}

/** The failures of a run that no entry is about. */
export function unlisted({ deviations }: Expectations, verdicts: readonly Verdict[]): Verdict[] {
  return verdicts.filter(isContradicting).filter((one) => !entryFor(deviations, one))
}

/**
 * Takes a run into what was expected until now. What is new is added: failures with the given
 * acceptance, and what was observed. Entries that are there stay, their reasons and days always;
 * with `mode: 'update'` they take over what the run observed, and deviations that are none any more
 * are left out.
 */
export function merged(
  before: Expectations,
  verdicts: readonly Verdict[],
  { acceptance, mode }: { acceptance?: Acceptance; mode: 'add' | 'update' }
): Merged {
  const fails = verdicts.filter(isContradicting)
  const seen = verdicts.filter(({ outcome }) => outcome === 'observed')
  const failing = acceptance ? unlisted(before, verdicts) : []
  const added = failing.map((verdict) => deviationOf(verdict, acceptance!))
  const unseen = seen.filter((one) => !entryFor(before.observations, one)).map(observationOf)
  const judged = indexed(verdicts)
  const outdated = new Set(before.deviations.filter((entry) => holdsNow(entry, judged)))
  const deviating = differing(before.deviations, fails)
  const changed = differing(before.observations, seen)
  const kept = before.deviations.filter((entry) => !outdated.has(entry))
  const isUpdate = mode === 'update'
  const deviations = isUpdate ? renewed(kept, deviating) : before.deviations
  const observations = isUpdate ? renewed(before.observations, changed) : before.observations
  return {
    expectations: {
      schema: before.schema,
      deviations: [...deviations, ...added],
      observations: [...observations, ...unseen]
    },
    added: { deviations: added.length, observations: unseen.length },
    differing: [...outdated, ...deviating.keys(), ...changed.keys()]
  }
}

/** Entries with the texts they have now. */
function renewed<Entry extends KnownDeviation | KnownObservation>(
  entries: readonly Entry[],
  texts: ReadonlyMap<Entry, string>
): Entry[] {
  return entries.map((entry) => {
    const observed = texts.get(entry)
    return observed === undefined ? entry : { ...entry, observed }
  })
}

/** Entries with a text that verdicts about them no longer have, and the text they have now. */
function differing<Entry extends KnownDeviation | KnownObservation>(
  entries: readonly Entry[],
  verdicts: readonly Verdict[]
): Map<Entry, string> {
  const texts = new Map<Entry, string>()
  for (const verdict of verdicts) {
    const entry = entryFor(entries, verdict)
    if (entry?.observed === undefined || entry.observed === verdict.observed) continue
    texts.set(entry, verdict.observed)
  }
  return texts
}

/** A limit's text is its numbers, so it is held to them; a check's may quote ids and times. */
function deviationOf(verdict: Verdict, { reason, until }: Acceptance): KnownDeviation {
  const { clause, scenario, observed, evidence } = verdict
  const pinned = evidence.kind === 'boundary' ? { observed } : {}
  return { clause, scenario, ...pinned, reason, until }
}

function observationOf({ clause, scenario, observed }: Verdict): KnownObservation {
  return { clause, scenario, observed }
}
