import type { Client } from '../client/client.ts'
import { isOk, type Reply, said } from '../client/reply.ts'
import { Blocked } from './blocked.ts'
import type { Context } from './context.ts'
import type { DocumentedAnswers } from './documented-answer.ts'
import { othersOf, type Takes } from './fresh.ts'
import { type RequestParts, valueAt } from './place.ts'
import { createPut, type Put } from './put.ts'
import { createRedirects, isServed } from './redirects.ts'
import { type Changes, changedAs, isSame, namedAt, partsOf, unnamed } from './request-parts.ts'
import { type Making, type OperationSamples, type Samples, samplesIn } from './samples.ts'
import { isRefusal } from './turned-down.ts'
import { unhurried } from './unhurried.ts'
import { filledPath, type Separators, sendParts } from './wire-form.ts'

/** An operation of an API, with a request that its document calls valid. */
export type OperationOptions = {
  /** Its name in samples.yaml, and that of its folder. */
  name: string
  method: string
  /** With parameters in braces: `/pets/{petId}`. */
  path: string
  /** The samples.yaml of the document, which need not be there. */
  samples: URL
  /** The valid request, with what is required. */
  valid?: Partial<RequestParts>
  /** Parts that may be left out, by place: what is set within one of them is set into this. */
  optional?: Record<string, unknown>
  /**
   * By place: values of what may be left out, other than those by default, which are said where the
   * valid request is refused without: some services hold their own default against their limits. So
   * are those in place of what is valid and at an end of what is taken, where that is refused.
   */
  explicit?: Record<string, unknown>
  /** Of the body; default: JSON. */
  contentType?: string
  /** By parameter of the query: what stands between its items, `{ ids: ',' }`, as `ids=1,2` has. */
  separators?: Separators
  /** Parameters of the query whose fields come one by one: `filter[name]=x`. */
  deep?: string[]
  /** Fields of a form in parts that are files, each with its content type. */
  files?: Record<string, string>
  /** Places of which the document says what they are, and not which there are. */
  unknown?: string[]
  /** Places whose values are made anew for each request, as those of `fresh` in samples.yaml. */
  fresh?: string[]
  /** By place: what a value that is made anew has to be. */
  takes?: Takes
  /** How the thing is made that it is about. */
  make?: Making
  /** How what it made is removed: `DELETE /pets/{id}`, with fields of its answer. */
  remove?: string
  /** By place: what it needs and the document does not say, and why. */
  missing?: Record<string, string>
  /** How often it may be asked: what comes too often, 429, is asked again after a window. */
  rate?: { requests: number; seconds: number }
  /** By status: 201, 2XX, default. */
  answers?: DocumentedAnswers
  /** What references of shapes lead to. */
  defs?: Record<string, unknown>
}

/** How a request is sent otherwise than as its operation says. */
export type Manner = {
  /** Headers that differ; undefined takes one away. */
  headers?: Record<string, string | undefined>
  contentType?: string
  /** Whether what comes too often is told, and not asked again. */
  isOnce?: boolean
}

/** An operation that can be asked. */
export type Operation = Omit<OperationOptions, 'samples'> & {
  samples: () => Promise<Samples>
  /** Sends the valid request with some changes; throws `Blocked` where a sample is missing. */
  ask: (context: Context, changes?: Changes, manner?: Manner) => Promise<Reply>
  /**
   * Whether samples.yaml says what stands at a place, and what the document would have there is not
   * taken: then a value that was made up may be refused for naming nothing.
   */
  isNamed: (context: Context, place: string) => Promise<boolean>
  /** Whether a value is one that the document has at a place, and another is served instead. */
  isReplaced: (place: string, value: unknown) => boolean
  /** Notes that a value which was made up is taken at a place, as it should be. */
  noteTaken: (place: string) => void
  /** The same, as an answer to whether a value is within a limit. */
  put: Put
  /**
   * The answer to the valid request; throws `Blocked` where that is no success. What it makes may
   * be kept.
   */
  insist: (context: Context, manner?: { keep?: boolean }) => Promise<Reply>
}

/** Methods by which a guess takes nothing away. */
const keeping = ['GET', 'HEAD', 'OPTIONS', 'QUERY', 'POST', 'PUT', 'PATCH']

/** Whether a method takes away what it is asked about, or nobody knows what it does. */
export const mayDelete = (method: string): boolean => !keeping.includes(method)

const another = 'set a value that it takes'
const there = 'name something that is there'
const shown = 'give "headers" in target.json a credential that may do this'
/** What may help where a valid request is not served, by its status. */
const remedies: Record<number, string> = {
  ...{ 400: another, 422: another, 404: there, 410: there, 401: shown, 403: shown },
  429: 'let it be asked more often',
  409: 'say which values have to be "fresh", or how to "remove" what was made'
}

/** So often what is there already, 409, is asked for again with other values. */
const mostAgain = 8

function unserved(
  { name, method, path }: OperationOptions,
  reply: Reply,
  { file, fresh }: { file: string; fresh: readonly string[] }
): Blocked {
  const isTried = reply.status === 409 && fresh.length > 0
  const help = isTried
    ? `so are ${mostAgain} others of ${fresh.join(', ')}: say how to "remove" what was made`
    : (remedies[reply.status] ?? 'say how it is asked')
  const place = help === shown || reply.status === 429 ? '' : ` in ${file}, operations.${name}`
  return new Blocked(`a valid ${method} ${path} is not served, ${said(reply)}: ${help}${place}`)
}

const unsaid: OperationSamples = { set: {}, fresh: [] }

/** What samples.yaml says of an operation; throws `Blocked` where that must not be asked. */
function leave(options: OperationOptions, samples: Samples): OperationSamples {
  const { name, method, missing = {}, make, unknown = [] } = options
  const given = Object.hasOwn(samples.operations, name) ? samples.operations[name]! : unsaid
  const place = `${samples.file}, operations.${name}`
  if (given.skip !== undefined) throw new Blocked(`${place}: ${given.skip}`)
  const [lacking] = unnamed(Object.keys(missing), samples, given)
  if (lacking !== undefined) {
    throw new Blocked(`${lacking}: ${missing[lacking]}: set it in ${place}`)
  }
  // A guess might hit what is there, and should stay.
  const [lost] = unnamed(unknown, samples, given)
  if (mayDelete(method) && lost !== undefined && (given.make ?? make) === undefined) {
    throw new Blocked(
      `nothing says what may be deleted, as ${lost}: set it, or "make", in ${place}`
    )
  }
  return given
}

const isName = (value: unknown) => typeof value === 'number' || (typeof value === 'string' && value)

/** Removes what was made, where its answer says what that is: without a name it would be all. */
async function remove(text: string, reply: Reply, service: Client): Promise<void> {
  const [, method = '', path = ''] = /^(\S+)\s+(.*)$/.exec(text) ?? []
  const places = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!)
  const answer = Object(reply.json)
  if (!places.every((name) => Object.hasOwn(answer, name) && isName(answer[name]))) return
  await service[method.toLowerCase() as 'delete'](filledPath(path, answer))
}

/** The answer to a request of such parts, of which what was made is removed again. */
async function sent(
  { method, path, separators, deep, files, rate, ...options }: OperationOptions,
  parts: RequestParts,
  { manner, removal, service }: { manner: Manner; removal: string | undefined; service: Client }
): Promise<Reply> {
  const { headers, contentType = options.contentType, isOnce } = manner
  const client = headers ? service.with(headers) : service
  const writing = { method, path, contentType, separators, deep, files }
  const send = () => sendParts(client, writing, parts)
  const reply = await unhurried(send, isOnce ? undefined : rate)
  if (removal !== undefined && isOk(reply)) await remove(removal, reply, service)
  return reply
}

/** What `isNamed` of an operation is, which asks once for each place that is not `known`. */
function createNaming(
  { name, method, valid = {}, ...options }: OperationOptions,
  known: Map<string, boolean>,
  { samples, ask }: Pick<Operation, 'samples' | 'ask'>
): Operation['isNamed'] {
  return async (context, place) => {
    // What a path names and is not there is answered 404, and no other refusal is about that.
    if (place.startsWith('path')) return false
    const before = known.get(place)
    if (before !== undefined) return before
    const said = await samples()
    const given = Object.hasOwn(said.operations, name) ? said.operations[name]! : unsaid
    const made = Object.keys((given.make ?? options.make)?.take ?? {})
    const isSaid = made.includes(place) || unnamed([place], said, given).length === 0
    const usual = valueAt(valid, place)
    // Nothing is deleted to find this out.
    const isTaken = async () =>
      !mayDelete(method) && usual !== undefined && isServed(await ask(context, { [place]: usual }))
    known.set(place, isSaid && !(await isTaken()))
    return known.get(place)!
  }
}

/** An operation of an API, as `plimsoll init` writes it of an OpenAPI document. */
export function operation(options: OperationOptions): Operation {
  const samples = () => samplesIn(options.samples)
  const { explicit = {} } = options
  let isExplicit = false
  const send = async (context: Context, changes: Changes, manner: Manner & { keep?: boolean }) => {
    const said = await samples()
    const given = leave(options, said)
    const taken = { ...options, samples: said, given, answerOf }
    const parts = changedAs(taken, await partsOf(taken, context), {
      ...{ changes, explicit: isExplicit ? explicit : {} }
    })
    const removal = manner.keep ? undefined : (given.remove ?? options.remove)
    return sent(options, parts, { manner, removal, service: context.service })
  }
  const named = new Map<string, boolean>()
  const noteTaken = (place: string) => void named.set(place, false)
  const freshPlaces = async () =>
    (options.fresh ?? []).concat(leave(options, await samples()).fresh)
  const redirects = createRedirects(options.answers)
  const asked: Operation['ask'] = async (context, changes = {}, manner = {}) => {
    const reply = await send(context, changes, manner)
    if (reply.status !== 409) return reply
    const fresh = await freshPlaces()
    const isAsked = fresh.some((place) => Object.hasOwn(changes, place))
    for (let again = 0; again < mostAgain && fresh.length > 0; again++) {
      const others = othersOf(changes, fresh, options.takes) ?? changes
      const other = await send(context, others, manner)
      // Of what is there already another is as good, where it is taken.
      if (redirects.mayServe(other) || (!isAsked && other.status !== 409)) return other
    }
    return reply
  }
  const ask = redirects.noting(asked)
  const insist = async (context: Context, manner: Manner & { keep?: boolean } = {}) => {
    const reply = await asked(context, {}, manner)
    if (redirects.note(reply, true)) return reply
    if (isRefusal(reply) && !isExplicit && Object.keys(explicit).length > 0) {
      isExplicit = true
      const other = await send(context, {}, manner)
      if (redirects.note(other, true)) return other
      isExplicit = false
    }
    const { file } = await samples()
    throw unserved(options, reply, { file, fresh: await freshPlaces() })
  }
  /** What another operation of the document is answered, for what it makes. */
  const answerOf = async (name: string, context: Context): Promise<Reply> => {
    const maker = await import(new URL(`./${name}/_request.ts`, options.samples).href)
    return (maker.request as Operation).insist(context, { keep: true })
  }
  const isNamed = createNaming(options, named, { samples, ask })
  const sampleAt = async (place: string) => {
    const said = await samples()
    return namedAt(place, said, said.operations[options.name] ?? unsaid)
  }
  const isReplaced = (place: string, value: unknown) =>
    isExplicit &&
    Object.hasOwn(explicit, place) &&
    isSame(value, valueAt(options.valid ?? {}, place))
  const own = { ...options, samples, ask, insist, isNamed, isReplaced, noteTaken }
  return { ...own, put: createPut({ ...own, sampleAt }) }
}
