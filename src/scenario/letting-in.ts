import { isOk, type Reply, said } from '../client/reply.ts'
import type { Context } from './context.ts'
import type { Manner, Operation } from './operation.ts'
import { absent, keysOf } from './place.ts'
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
      if (!isOk(reply) && !isDenied) {
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

/** What is shown of some places, cut short, and with more behind it; none where none is known. */
async function alteredOf(
  operation: Operation,
  places: readonly string[],
  { service }: Context
): Promise<Shown[]> {
  const { parameters, operations } = await operation.samples()
  const { set = {} } = Object.hasOwn(operations, operation.name) ? operations[operation.name]! : {}
  const rightOf = (place: string): unknown => {
    if (!isElsewhere(place)) return service.headers[place]
    if (Object.hasOwn(set, place)) return set[place]
    return Object.hasOwn(operation.missing ?? {}, place) ? parameters[keysOf(place)[1]!] : undefined
  }
  const known = places.flatMap((place): [string, string[]][] => {
    const right = rightOf(place)
    const altered = typeof right === 'string' ? alteredCredential(right) : undefined
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
