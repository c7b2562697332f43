import type { Reply } from '../client/reply.ts'
import { type Answer, accepted, rejected, unclear } from '../limit/answer.ts'
import { Blocked } from './blocked.ts'
import type { Context } from './context.ts'
import { lengthened, usualTexts } from './lengthened.ts'
import { keysOf } from './place.ts'
import { isServed } from './redirects.ts'
import { areAlike, asRelated, besideOf, type RelatedReply, type Relation } from './related.ts'
import type { Changes } from './request-parts.ts'
import { isRefusal } from './turned-down.ts'

/** Asks with a changed value, as an answer to whether that is within a limit. */
export type Put = (context: Context, changes: Changes, relation?: Relation) => Promise<Answer>

/** What of an operation its `put` is made of. */
type Own = {
  ask: (context: Context, changes: Changes) => Promise<Reply>
  insist: (context: Context) => Promise<Reply>
  isNamed: (context: Context, place: string) => Promise<boolean>
  noteTaken: (place: string) => void
  samples: () => Promise<{ file: string }>
  optional?: Record<string, unknown>
  /** What samples.yaml has at a place. */
  sampleAt: (place: string) => Promise<unknown>
}

/** What is known of a place: how its values have to be for any to be taken. */
type Known = {
  /** Whether one that was made up is taken. */
  isPlain?: boolean
  /** Of which sample a text keeps the shape that is. */
  like?: string
  /** Whether it is no sample itself. */
  isGrown?: boolean
  beside?: RelatedReply['beside']
}

/** One question of a limit: a value, and what is taken otherwise. */
type Question = { context: Context; changes: Changes; relation: Relation; known: Known }

const sizeOf = (value: unknown) =>
  typeof value === 'number' ? value : typeof value === 'string' ? [...value].length : Infinity

/** What `put` of an operation is. */
export function createPut(own: Own): Put {
  const places = new Map<string, Known>()
  return async (context, changes, relation = {}) => {
    const [[place = '', value] = []] = Object.entries(changes)
    const known = places.get(place) ?? {}
    places.set(place, known)
    const question = { context, changes, relation, known }
    const { upTo } = relation
    const isWithin = upTo !== undefined && sizeOf(value) <= upTo
    const put = isWithin ? within : beyond
    let reply = await put(own, question)
    if (isRefusal(reply) && !isAnyTaken(known)) {
      // Where not even the valid request is served, nobody knows what this one is refused for.
      await own.insist(context)
      reply = await put(own, question)
    }
    if (isServed(reply)) {
      if (known.isPlain || known.isGrown || known.beside) own.noteTaken(place)
      return accepted(reply)
    }
    if (await own.isNamed(context, place)) {
      const { file } = await own.samples()
      throw new Blocked(`at ${place} nothing is taken but what ${file} says`)
    }
    if (isWithin && isRefusal(reply) && !isAnyTaken(known)) {
      const { file } = await own.samples()
      const help = `set one that may be ${typeof value === 'number' ? 'more' : 'longer'}`
      throw new Blocked(`nothing that was made up is taken at ${place}: ${help}, in ${file}`)
    }
    if (isRefusal(reply)) {
      const doubt = isWithin ? await doubtOf(own, question, reply) : undefined
      return doubt === undefined ? rejected(reply) : unclear(reply, doubt)
    }
    await own.insist(context)
    return unclear(reply)
  }
}

const isAnyTaken = ({ isPlain, like, beside }: Known) =>
  isPlain === true || like !== undefined || beside !== undefined

/** Texts of which longer ones are made: what samples.yaml has, the document, and anybody. */
async function samplesFor(own: Own, { changes, relation }: Question): Promise<string[]> {
  const [[place = '', value] = []] = Object.entries(changes)
  if (typeof value !== 'string' || relation.upTo === undefined) return []
  const all = [await own.sampleAt(place), relation.like, ...usualTexts]
  return [...new Set(all.filter((one) => typeof one === 'string'))]
}

/** The answer to a value that should be taken; a longer one that is says that it is, too. */
async function within(own: Own, question: Question): Promise<Reply> {
  const { context, changes, relation, known } = question
  const { ask, optional } = own
  const { related } = relation
  const [[place = '', value] = []] = Object.entries(changes)
  const { reply, beside } = await asRelated(ask, context, { changes, related, usual: optional })
  if (isServed(reply)) {
    if (beside === undefined) known.isPlain = true
    else known.beside = beside
    return reply
  }
  if (!isRefusal(reply)) return reply
  for (const like of await samplesFor(own, question)) {
    for (const text of lengthened(like, sizeOf(value))) {
      if (sizeOf(text) > relation.upTo!) continue
      const other = await ask(context, { ...changes, [place]: text })
      if (!isServed(other)) continue
      known.like = like
      known.isGrown ||= text !== like
      return other
    }
  }
  return reply
}

/** The answer to a value that should be refused, as others are that are taken. */
async function beyond(own: Own, question: Question): Promise<Reply> {
  const { context, changes, known } = question
  const { ask, optional } = own
  const [[place = '', value] = []] = Object.entries(changes)
  const reply = await ask(context, changes)
  if (!isRefusal(reply)) return reply
  const more: Changes[] = []
  if (known.beside !== undefined) more.push(besideOf(changes, known.beside, optional))
  if (known.like !== undefined) {
    const texts = lengthened(known.like, sizeOf(value))
    more.push(...texts.map((text) => ({ ...changes, [place]: text })))
  }
  for (const one of more) {
    const other = await ask(context, one)
    if (isServed(other)) return other
  }
  return reply
}

/**
 * Why a refusal within a limit says nothing of where it is drawn; undefined where it does. Who
 * draws it one unit off takes what is next to it. Where that is refused as well, and what is beyond
 * the limit in other words, or in words that do not tell of what, there may be another reason: that
 * there is no more of it. What is taken only as a sample is may be refused for its shape.
 */
async function doubtOf(own: Own, question: Question, reply: Reply): Promise<string | undefined> {
  const { context, changes, relation, known } = question
  const { upTo = Infinity, step = 1 } = relation
  const [[place = '', value] = []] = Object.entries(changes)
  if (sizeOf(value) !== upTo || !isAnyTaken(known)) return
  if (typeof value === 'string') {
    if (known.isPlain) return
    const shorter = { ...changes, [place]: [...value].slice(1).join('') }
    const isNear = isServed(await within(own, { ...question, changes: shorter }))
    return isNear ? undefined : `${reply.because}, and no text is known that may be as long`
  }
  if (typeof value !== 'number') return
  const { reply: less, beside } = await asRelated(own.ask, context, {
    ...{ changes: { ...changes, [place]: value - step }, usual: own.optional },
    related: relation.related
  })
  const isMore = typeof beside?.by === 'number' && beside.by !== 0
  if (isServed(less))
    return isMore ? `${beside.place} has to be another, and has no room` : undefined
  const over = await own.ask(context, { ...changes, [place]: value + step })
  const isTold = place.startsWith('query') || reply.body.includes(String(keysOf(place).at(-1)))
  if (isTold && areAlike(reply, over)) return
  return `${reply.because}, as is ${value - step}: it may be for another reason`
}
