import { type Reply, said } from '../client/reply.ts'
import type { Context } from './context.ts'
import { type AskedLook, evidenceIn, isDefect, isGone, taken, takenAt } from './evidence.ts'
import type { Manner, Operation } from './operation.ts'
import { absent } from './place.ts'
import { isServed } from './redirects.ts'
import { asRelated, type RelatedReply } from './related.ts'
import type { Changes } from './request-parts.ts'
import type { Judge } from './scenario.ts'
import { type Look, summary } from './summary.ts'
import { isRefusal } from './turned-down.ts'

/** Values on both sides of a statement, and the place in the request that they are for. */
export type ValueSides = {
  at: string
  accepted?: readonly unknown[]
  refused?: readonly unknown[]
  /**
   * More values that are taken, most of them made up at the ends of what a statement allows. What
   * is refused of them counts only where `like` is taken, which is made up as they are and at no
   * end: one that is refused as well may name what is not there, or break what nobody documented.
   */
  ends?: { like: unknown; taken: readonly unknown[] }
  /** Whether the document lists all that is taken there, so that each of it is there. */
  isListed?: boolean
  /**
   * Of a number, or date: places of others that it may have to be less than, or more; of one of a
   * list, of what is called as it is, or of the same list, which it may have to differ from.
   */
  related?: readonly string[]
  /** What else differs in a request with such a value, by place: fields that do not go with it. */
  beside?: Changes
  /**
   * The same place in the last item of a list, and that list: the first value that is refused is so
   * there as well, where the list is taken without it.
   */
  last?: { at: string; beside: Changes }
  /**
   * A value of another type that is refused, which counts only where `like` is as well: who makes
   * one type of another takes both, and who takes null for what is not there but one.
   */
  coerced?: { like: unknown; refused: unknown }
  /**
   * The place of the list that it is in, which may have but one item: where that is refused as a
   * whole, it is not for what stands in it.
   */
  listOfOne?: string
}

const longest = 60
/** Beside so many others of the values that are taken one is asked again. */
const mostOthers = 4

function inWords(at: string, value: unknown): string {
  if (value === absent) return `without ${at}`
  const text = JSON.stringify(value) ?? String(value)
  return `${at} ${text.length > longest ? `${text.slice(0, longest)}… (${text.length})` : text}`
}

/**
 * Asks a valid request with each value of both sides, by clause, and judges whether those are taken
 * that should be and no others. Throws `Blocked` where not even the valid request is served; says
 * nothing of a clause of which an answer is about something else (401, 403, 404, 409).
 */
export async function judgeSides(
  operation: Operation,
  sides: Readonly<Record<string, ValueSides>>,
  context: Context & Judge
): Promise<void> {
  const valid = await operation.insist(context)
  for (const [clause, one] of Object.entries(sides)) {
    const { at, accepted = [], refused = [], beside, listOfOne } = one
    const questions = [
      ...accepted.map((value) => ({ value, expected: true })),
      ...refused.map((value) => ({ value, expected: false }))
    ]
    const looks: AskedLook[] = []
    const skipped: unknown[] = []
    let replaced = 0
    for (const { value, expected } of questions) {
      const changes = { [at]: value, ...beside }
      const others = accepted.filter((other) => other !== value).slice(0, mostOthers)
      const reply = expected
        ? (await related(operation, context, { changes, related: one.related, others })).reply
        : await operation.ask(context, changes)
      const isLost = isGone(reply) && (await operation.isNamed(context, at))
      const was = isLost ? false : takenAt(at, reply, expected)
      if (expected && isServed(reply)) operation.noteTaken(at)
      if (expected && was !== true && operation.isReplaced(at, value)) {
        replaced++
        continue
      }
      if (expected && was !== true && (isLost || (await operation.isNamed(context, at)))) {
        skipped.push(value)
        continue
      }
      if (was === undefined && !isDefect(reply)) {
        context.leave(clause, `${inWords(at, value)} was answered ${said(reply)}`, reply)
        break
      }
      const holds = was === expected
      if (!holds && expected && listOfOne !== undefined) {
        const list = await operation.ask(context, { [listOfOne]: operation.optional?.[listOfOne] })
        if (taken(list) === false) {
          context.leave(clause, `a valid ${listOfOne} was answered ${said(list)}`, list)
          break
        }
      }
      looks.push({ asked: inWords(at, value), expected, holds, saw: reply.because, reply })
    }
    if (one.isListed && !skipped.length) insistOnListed(operation, looks.slice(0, accepted.length))
    const isWhole = looks.length + skipped.length + replaced === questions.length
    const atEnds =
      isWhole && skipped.length === 0 ? await looksAtEnds(operation, one, context, looks) : []
    if (atEnds === undefined && accepted.length === 0 && looks.every(({ holds }) => holds)) {
      const like = inWords(at, one.ends!.like)
      const reply = looks[0]?.reply ?? valid
      context.observe(clause, `${like} is refused as well, for another reason`, reply)
      continue
    }
    looks.push(...(atEnds ?? []).map((look) => ({ ...look, expected: true })))
    const coerced = isWhole ? await looksCoerced(operation, one, context) : []
    looks.push(...coerced.map((look) => ({ ...look, expected: false })))
    const isAsked = isWhole && looks.every(({ holds }) => holds)
    if (isAsked) looks.push(...(await lookLast(operation, one, context)))
    conclude([clause, one], context, { looks, valid, isWhole, isSkipped: skipped.length > 0 })
  }
}

/** What all that was seen of a clause comes to. */
function conclude(
  [clause, one]: [string, ValueSides],
  context: Judge,
  seen: { looks: AskedLook[]; valid: Reply; isWhole: boolean; isSkipped: boolean }
): void {
  const { looks, valid, isWhole, isSkipped } = seen
  if (!isWhole && looks.every(({ holds }) => holds)) return
  const told = summary(evidenceIn(one, looks))
  const last = looks.at(-1)
  if (told !== undefined) context.verify(clause, ...told)
  else if (last !== undefined) {
    const { asked, saw, reply } = last
    context.observe(clause, `${asked}: ${saw}, which says nothing of its value`, reply)
  } else if (isSkipped) {
    context.observe(clause, `nothing is taken at ${one.at} but what samples.yaml says`, valid)
  }
}

/**
 * Of listed values in a path, one that is answered as what is not there is turned down, where
 * another one is served and nothing else in the path may name what is not there.
 */
function insistOnListed({ path }: Operation, looks: Look[]): void {
  const isAlone = path.split('{').length === 2
  if (!isAlone || !looks.some(({ reply }) => isServed(reply))) return
  for (const look of looks) look.holds &&= isServed(look.reply)
}

/** The answer to what should be taken, beside other numbers that it may have to go with. */
function related(
  { ask, optional }: Operation,
  context: Context,
  asked: {
    changes: Changes
    related: readonly string[] | undefined
    others?: readonly unknown[]
  }
): Promise<RelatedReply> {
  return asRelated(ask, context, { ...asked, usual: optional })
}

/**
 * What came of the values at ends: of what was turned down nothing counts where one that is at no
 * end is not taken either, or only beside another number that is still more, or less; undefined
 * where nothing else came.
 */
async function looksAtEnds(
  operation: Operation,
  { at, ends, beside, related: places, accepted = [] }: ValueSides,
  context: Context,
  before: readonly Look[]
): Promise<Look[] | undefined> {
  if (ends === undefined) return []
  const ask = (value: unknown) =>
    related(operation, context, { changes: { [at]: value, ...beside }, related: places })
  const looks: Look[] = []
  for (const value of ends.taken) {
    const { reply } = await ask(value)
    const was = takenAt(at, reply, true)
    if (was === undefined && !isDefect(reply)) continue
    looks.push({ asked: inWords(at, value), holds: was === true, saw: reply.because, reply })
  }
  const isLikeTaken = async () => {
    if (accepted.includes(ends.like)) return before.every(({ holds }) => holds)
    const like = await ask(ends.like)
    const isMore = typeof like.beside?.by === 'number' && like.beside.by !== 0
    return takenAt(at, like.reply, true) === true && !isMore
  }
  const taken = looks.filter(({ holds }) => holds)
  if (taken.length === looks.length || (await isLikeTaken())) return looks
  return taken.length > 0 ? taken : undefined
}

/** What came of a value of another type: taken, it counts of who makes no type of others. */
async function looksCoerced(
  operation: Operation,
  { at, coerced, beside }: ValueSides,
  context: Context
): Promise<Look[]> {
  if (coerced === undefined) return []
  const reply = await operation.ask(context, { [at]: coerced.refused, ...beside })
  const was = taken(reply)
  if (was === undefined) return []
  if (was && taken(await operation.ask(context, { [at]: coerced.like, ...beside })) !== false)
    return []
  return [{ asked: inWords(at, coerced.refused), holds: !was, saw: reply.because, reply }]
}

/** What came of what is refused in the last item of a list; nothing where that list is. */
async function lookLast(
  operation: Operation,
  { last, refused = [] }: ValueSides,
  context: Context
): Promise<AskedLook[]> {
  if (last === undefined || refused.length === 0) return []
  const { at, beside } = last
  // What is set in a list is not set in the one that the scenario goes on to ask with.
  const list = () => structuredClone(beside)
  if (!isServed(await operation.ask(context, list()))) return []
  const reply = await operation.ask(context, { ...list(), [at]: refused[0] })
  const was = taken(reply)
  if (was === undefined) return []
  const asked = inWords(at, refused[0])
  return [{ asked, expected: false, holds: !was, saw: reply.because, reply }]
}

/** Whether the valid request is refused when it is sent in some manner, by clause. */
export async function judgeRefused(
  operation: Operation,
  manners: Readonly<Record<string, Manner & { changes?: Changes }>>,
  context: Context & Judge
): Promise<void> {
  const valid = await operation.insist(context)
  for (const [clause, { changes, ...manner }] of Object.entries(manners)) {
    const reply = await operation.ask(context, changes, manner)
    const isTold = isServed(reply) || isRefusal(reply)
    if (isTold) {
      context.verify(clause, { holds: isRefusal(reply), saw: reply.because }, reply, valid)
    } else context.leave(clause, `sent so it was answered ${said(reply)}`, reply)
  }
}
