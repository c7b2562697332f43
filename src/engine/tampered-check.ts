import type { Exchange } from '../client/reply.ts'
import { tamperings } from '../tampering/catalogue.ts'
import type { Tampering } from '../tampering/tampering.ts'
import type { Witnessed } from '../tampering/witnessed.ts'
import { contradicting, type Evidence } from '../verdict/verdict.ts'
import { type Bench, type BenchParts, openBench, type TamperedFinding } from './tampered-bench.ts'

/**
 * What a check makes of answers that were tampered with.
 *
 * - `seen`: one tampering at least turned its verdict to a fail, and without it it passes again
 * - `doubted`: under some it did not pass, and under none it failed; by itself, when no canary
 *   watches, it would, or does not pass either
 * - `blind`: it passed under all that were tried, or under those of which a canary doubted the
 *   answers as soon as none does
 * - `left`: nothing can be said, `because` it did not pass untampered, or rests on no answer
 */
export type TamperedCheck = {
  scenario: string
  clause: string
  state: 'seen' | 'doubted' | 'blind' | 'left'
  /** How many tamperings were tried, of so many that its evidence shows. */
  tried: number
  of: number
  /** Those of them, in words, under which it passed. */
  green: string[]
  because: string
}

/** What it takes to look at a unit's checks. */
export type TamperedCheckParts = BenchParts & {
  /** Tamperings tried for one clause at most. */
  most: number
  /** Whether to go on with those that have fallen, to know under which they stay green. */
  every: boolean
}

/** Tamperings that meet no answer any more do not count, up to so many times those that do. */
const vain = 3

/** What tamperings did to a clause. */
type Done = {
  fell?: string
  doubt?: string
  /** How its scenario broke down over an answer, which says nothing of the clause. */
  stumble?: string
  green: string[]
}

/** What is known of a clause so far: with the document's canaries, and without. */
type Standing = { clause: string; list: Tampering[]; watched: Done; alone: Done }

/** Adds what came of a clause under a tampering. */
function add(
  done: Done,
  { list }: Standing,
  { key, words }: Tampering,
  found: TamperedFinding
): void {
  const { outcome, because } = found
  if (contradicting.includes(outcome)) done.fell ??= words
  else if (outcome === 'error') done.stumble ??= `${outcome}, ${because}`
  else if (outcome !== 'pass') done.doubt ??= `${outcome}, ${because}`
  else if (list.some((one) => one.key === key)) done.green.push(words)
}

/** Tampers with the answers that a unit's verdicts rest on, until each of them has fallen. */
export async function tamperedChecks(parts: TamperedCheckParts): Promise<TamperedCheck[]> {
  const { unit, stop } = parts
  await using bench = await openBench(parts)
  const honest = await bench.look()
  const all = bench.take()
  const left: TamperedCheck[] = []
  const open: Standing[] = []
  const leave = (clause: string, because: string) => {
    const { scenario } = unit
    left.push({ scenario, clause, state: 'left', tried: 0, of: 0, green: [], because })
  }
  for (const [clause, { outcome, because, evidence }] of honest) {
    const shown = shownIn(evidence, all)
    const list = outcome === 'pass' ? tamperings({ clause, shown, all }) : []
    const nothingYet = { watched: { green: [] }, alone: { green: [] } }
    if (list.length > 0) open.push({ clause, list, ...nothingYet })
    else leave(clause, outcome === 'pass' ? 'it rests on no answer' : `${outcome}: ${because}`)
  }
  const met = await tryEach(open, bench, parts)
  const isFallen = open.some(({ watched }) => watched.fell !== undefined)
  // A check may have fallen over what an earlier tampering left behind in the target.
  const after = isFallen && !stop.requested() ? await bench.look() : honest
  await tryAlone(open, bench, { parts, met })
  const found = open.flatMap((own) => {
    const { clause, list, watched } = own
    if (watched.fell === undefined && stop.requested()) return []
    if (watched.fell !== undefined && after.get(clause)?.outcome !== 'pass') {
      leave(clause, 'it no longer passes untampered: what was done before stays')
      return []
    }
    const tried = list.filter(({ key }) => met.has(key)).length
    const { green } = watched
    return [{ scenario: unit.scenario, clause, tried, of: list.length, green, ...standOf(own) }]
  })
  return [...found, ...left]
}

/** What can be said of a clause whose tamperings were tried. */
function standOf({ watched, alone }: Standing): Pick<TamperedCheck, 'state' | 'because'> {
  const { fell, green, stumble } = watched
  if (fell !== undefined) return { state: 'seen', because: fell }
  const doubt = watched.doubt ?? (green.length > 0 ? undefined : stumble)
  if (doubt === undefined) return { state: 'blind', because: 'it passed' }
  const isBlind = alone.fell === undefined && alone.doubt === undefined && alone.green.length > 0
  return isBlind
    ? {
        state: 'blind',
        because: `it passed, as it does without the canaries that doubted answers (${doubt})`
      }
    : { state: 'doubted', because: `it never failed; at first it was ${doubt}` }
}

/** Tries the tamperings of each clause; the keys of those that met an answer. */
async function tryEach(
  open: readonly Standing[],
  bench: Bench,
  { stop, most, every }: TamperedCheckParts
): Promise<ReadonlySet<string>> {
  const [done, met] = [new Set<string>(), new Set<string>()]
  for (const own of open) {
    const fresh = own.list.filter(({ key }) => !done.has(key))
    for (const [begun, tampering] of fresh.entries()) {
      const counting = fresh.slice(0, begun).filter(({ key }) => met.has(key)).length
      const isEnough = counting >= most || begun >= vain * most
      if ((own.watched.fell !== undefined && !every) || isEnough || stop.requested()) break
      const { look, isMet } = await bench.tampered(tampering)
      done.add(tampering.key)
      if (!isMet) continue
      met.add(tampering.key)
      for (const one of open) {
        const found = look.get(one.clause)
        if (found) add(one.watched, one, tampering, found)
      }
    }
  }
  return met
}

/**
 * Tries again what was only doubted, without canaries: these tell an outage, which is what many
 * tamperings look like, and a check that cannot fail stands behind them as well as any other.
 */
async function tryAlone(
  open: readonly Standing[],
  bench: Bench,
  { parts: { stop }, met }: { parts: TamperedCheckParts; met: ReadonlySet<string> }
): Promise<void> {
  const done = new Set<string>()
  for (const own of open.filter((one) => standOf(one).state === 'doubted')) {
    const doubted = own.list.filter(({ key, words }) => {
      return met.has(key) && !done.has(key) && !own.watched.green.includes(words)
    })
    for (const tampering of doubted) {
      if (own.alone.fell !== undefined || stop.requested()) break
      done.add(tampering.key)
      const { look } = await bench.tampered(tampering, { isAlone: true })
      for (const one of open) {
        const found = look.get(one.clause)
        if (found) add(one.alone, one, tampering, found)
      }
    }
  }
}

/** Those that went by of the answers that evidence names; all of them where it names none. */
function shownIn(evidence: Evidence, all: readonly Witnessed[]): readonly Witnessed[] {
  if (evidence.kind !== 'observations') return all
  const exchanges = evidence.attempts.flat().flatMap((one) => one.exchanges)
  const near = all.filter((seen) => exchanges.some((one) => isThat(one, seen)))
  // Many requests to one path are told apart by how much they sent, where that went by whole, and
  // by what came back: what a verdict rests on comes last, since the last is tampered with first.
  const told = (isLike: typeof isThat) => (seen: Witnessed) =>
    exchanges.some((one) => isThat(one, seen) && isLike(one, seen))
  const some = near.filter(told(isAsLong))
  const shown = some.length > 0 ? some : near
  const [exact, others] = [shown.filter(told(isSame)), shown.filter((one) => !told(isSame)(one))]
  return shown.length > 0 ? [...others, ...exact] : all
}

function isAsLong({ request }: Exchange, { asked }: Witnessed): boolean {
  return request.bodyBytes === asked.bodyBytes
}

function isSame({ excerpt }: Exchange, { answer }: Witnessed): boolean {
  return answer.text?.startsWith(excerpt) ?? false
}

function isThat({ request, status }: Exchange, { asked, answer }: Witnessed): boolean {
  const place = request.url.replace(/^https?:\/\/[^/]*/, '')
  const isCut = / \(\d+\)$/.test(place)
  const isPlace = isCut ? asked.path.startsWith(place.split('… (')[0]!) : asked.path === place
  return isPlace && request.method === asked.method && status === answer.status
}
