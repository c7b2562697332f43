import { type Reply, said } from '../client/reply.ts'
import type { Context } from './context.ts'
import type { Manner, Operation } from './operation.ts'
import { absent, keysOf } from './place.ts'
import { isServed } from './redirects.ts'
import type { Judge } from './scenario.ts'
import { type Look, summary } from './summary.ts'

/** What is shown, by header or by place such as `query.api_key`; undefined takes it away. */
type Shown = NonNullable<Manner['headers']>

const isElsewhere = (place: string) => /^(query|cookie)[.[]/.test(place)

/** Sends the valid request with something else to be let in by. */
export function askShowing(operation: Operation, shown: Shown, context: Context): Promise<Reply> {
  const { true: elsewhere = [], false: inHeaders = [] } = Object.groupBy(
    Object.entries(shown),
    ([place]) => `${isElsewhere(place)}` as const
  )
  const changes = elsewhere.map(([place, value]) => [place, value ?? absent])
  const headers = Object.fromEntries(inHeaders)
  return operation.ask(context, Object.fromEntries(changes), { headers })
}

/**
 * Whether the valid request is refused without its credential, or with another one, by clause: what
 * differs, or a list of what is shown as it is right but for its end, cut short and continued.
 */
export async function judgeCredentials(
  operation: Operation,
  manners: Readonly<Record<string, Shown | readonly string[] | undefined>>,
  context: Context & Judge
): Promise<void> {
  const valid = await operation.insist(context)
  for (const [clause, manner = {}] of Object.entries(manners)) {
    const isAltered = Array.isArray(manner)
    const all = isAltered ? await alteredOf(operation, manner, context) : [manner as Shown]
    if (all.length === 0) {
      context.observe(clause, 'no credential was shown that could be cut short', valid)
      continue
    }
    const looks: Look[] = []
    for (const [index, shown] of all.entries()) {
      const reply = await askShowing(operation, shown, context)
      const isDenied = reply.status === 401 || reply.status === 403
      if (!isServed(reply) && !isDenied) {
        context.leave(clause, `who should not be let in was answered ${said(reply)}`, reply)
        break
      }
      const asked = isAltered ? ['cut short', 'with more behind it'][index]! : 'shown'
      looks.push({ asked, holds: isDenied, saw: reply.because, reply })
    }
    const isTold = looks.length === all.length || looks.some(({ holds }) => !holds)
    if (!isTold) continue
    const [first] = looks
    if (isAltered) context.verify(clause, ...summary(looks)!)
    else context.verify(clause, { holds: first!.holds, saw: first!.saw }, first!.reply, valid)
  }
}

/** What lets in at some places, as far as it is known. */
async function rightsIn(
  operation: Operation,
  places: readonly string[],
  { service }: Context
): Promise<Map<string, string>> {
  const { parameters, operations } = await operation.samples()
  const { set = {} } = Object.hasOwn(operations, operation.name) ? operations[operation.name]! : {}
  const rightOf = (place: string): unknown => {
    if (!isElsewhere(place)) return service.headers[place]
    if (Object.hasOwn(set, place)) return set[place]
    return Object.hasOwn(operation.missing ?? {}, place) ? parameters[keysOf(place)[1]!] : undefined
  }
  const all = places.map((place) => [place, rightOf(place)] as const)
  return new Map(
    all.flatMap(([place, right]) => (typeof right === 'string' ? [[place, right]] : []))
  )
}

/** What is shown of some places, cut short, and with more behind it; none where none is known. */
async function alteredOf(
  operation: Operation,
  places: readonly string[],
  context: Context
): Promise<Shown[]> {
  const rights = await rightsIn(operation, places, context)
  const known = places.flatMap((place): [string, string[]][] => {
    const right = rights.get(place)
    const altered = right === undefined ? undefined : alteredCredential(right)
    return altered === undefined ? [] : [[place, altered]]
  })
  if (known.length === 0) return []
  const others = Object.fromEntries(places.map((place) => [place, undefined]))
  return [0, 1].map((nth) => ({
    ...others,
    ...Object.fromEntries(known.map(([place, altered]) => [place, altered[nth]!]))
  }))
}

/**
 * A credential cut by its last letter, and one with more behind it; undefined for one that has more
 * parts than can be told. Two letters are more in base64 and in hexadecimal as well, where one, or
 * what stands behind a "=", may be read as nothing.
 */
export function alteredCredential(right: string): [cut: string, longer: string] | undefined {
  const [, scheme = '', token = ''] = /^(\S+ +)?(\S+)$/.exec(right) ?? []
  if (/^basic /i.test(scheme)) {
    const text = Buffer.from(token, 'base64').toString('latin1')
    if (!/:.{2,}$/s.test(text)) return
    const encoded = (one: string) => `${scheme}${Buffer.from(one, 'latin1').toString('base64')}`
    return [encoded(text.slice(0, -1)), encoded(`${text}x`)]
  }
  const bare = token.replace(/=+$/, '')
  return bare.length < 2 ? undefined : [scheme + bare.slice(0, -1), `${scheme}${bare}00`]
}

/** All lists of some of the places, but none and all. */
function partsOf(way: readonly string[]): string[][] {
  const count = 2 ** Math.min(way.length, 6) - 2
  return Array.from({ length: Math.max(0, count) }, (_, index) =>
    way.filter((_, at) => (((index + 1) >> at) & 1) === 1)
  )
}

/**
 * Whether nobody is let in with a part of what has to be shown together, by clause: the ways to
 * be let in, each as the headers and places that it needs. Says nothing of a way whose right
 * values are not known, or do not let in by themselves.
 */
export async function judgeParts(
  operation: Operation,
  clauses: Readonly<Record<string, readonly (readonly string[])[]>>,
  context: Context & Judge
): Promise<void> {
  const valid = await operation.insist(context)
  for (const [clause, ways] of Object.entries(clauses)) {
    const known = await rightsIn(operation, ways.flat(), context)
    const showing = (shown: readonly string[]) =>
      askShowing(
        operation,
        Object.fromEntries(
          ways.flat().map((place) => [place, shown.includes(place) ? known.get(place) : undefined])
        ),
        context
      )
    const looks: Look[] = []
    for (const way of ways) {
      const isKnown = way.length > 1 && way.every((place) => known.has(place))
      if (!isKnown || !isServed(await showing(way))) continue
      const isWay = (shown: readonly string[]) =>
        ways.some((one) => one.every((place) => shown.includes(place)))
      for (const part of partsOf(way).filter((one) => !isWay(one))) {
        const reply = await showing(part)
        const isDenied = reply.status === 401 || reply.status === 403
        if (isServed(reply) || isDenied)
          looks.push({
            asked: `${part.join(', ')} alone`,
            holds: isDenied,
            saw: reply.because,
            reply
          })
      }
    }
    const told = summary(looks)
    if (told !== undefined) context.verify(clause, ...told)
    else context.observe(clause, 'what is shown together is not known, or does not let in', valid)
  }
}
