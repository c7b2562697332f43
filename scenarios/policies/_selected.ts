import type { Client, Context, Look, Reply } from 'plimsoll'
import { draft } from '../_policy.ts'
import { isTurnedDown, item } from '../_reply.ts'
import { type Visit, visitNamed } from './_visits.ts'

/** An expression, and what it says of a request. */
export type Said = [expression: string, isMeant: (visit: Visit) => boolean]

/** What became of an expression: it was refused, or which of the requests it was applied to. */
export type Selected = { expression: string; reply: Reply; isTaken: boolean; looks: Look[] }

/** So many policies apply to one page, whose head has to hold them all. */
const most = 60

/**
 * Has expressions choose among requests: each is that of a policy with a host of its own among its
 * sources, so that the head of a page tells which of them apply to it. Undefined where a page does
 * not show a policy that is about all of its zone.
 */
export async function selected(
  context: Context,
  { said, visits }: { said: readonly Said[]; visits: readonly Visit[] }
): Promise<Selected[] | undefined> {
  const usual = await site(context)
  const [first] = visits
  await usual.place(`http.host eq "${usual.host}"`, 0)
  if (!first || !isShown(await usual.visit(first), 0)) return undefined
  const found: Selected[] = []
  for (let at = 0; at < said.length; at += most)
    found.push(...(await together(context, said.slice(at, at + most), visits)))
  return found
}

type Site = Awaited<ReturnType<typeof site>>

/**
 * Gives a site a policy for each expression, until it has had enough of them: how many a zone may
 * have is not said. What a fresh site takes is there from then on, and what that refuses as well is
 * refused for what it says.
 */
async function placed(context: Context, said: readonly Said[]) {
  const found: { on: Site; reply: Reply }[] = []
  let [on, spare]: [Site, Site?] = [await site(context)]
  for (const [at, [expression]] of said.entries()) {
    let reply = await on.place(expression, at)
    if (!isKept(reply)) {
      spare ??= await site(context)
      reply = await spare.place(expression, at)
      if (isKept(reply)) [on, spare] = [spare, undefined]
    }
    found.push({ on, reply })
  }
  return found
}

async function together(context: Context, said: readonly Said[], visits: readonly Visit[]) {
  const all = await placed(context, said)
  const seen = new Map<Site, [Visit, Reply][]>()
  for (const on of new Set(all.map(({ on }) => on))) {
    const replies: [Visit, Reply][] = []
    for (const visit of visits) replies.push([visit, await on.visit(visit)])
    seen.set(on, replies)
  }
  return said.map(([expression, isMeant], at): Selected => {
    const { on, reply } = all[at]!
    const looks = seen.get(on)!.map(([visit, page]): Look => {
      const asked = `${expression} of ${visitNamed(visit)}`
      const saw = isShown(page, at) ? 'applied' : `not applied (${page.because})`
      return { asked, holds: isShown(page, at) === isMeant(visit), saw, reply: page }
    })
    return { expression, reply, isTaken: isKept(reply), looks }
  })
}

const hostOf = (at: number) => `p${at}.policy.example.test`
/** Whether a policy was created. */
export const isKept = (reply: Reply) => !isTurnedDown(reply) && item(reply).id !== undefined

/** Whether a page shows the policy with this number. */
export function isShown({ headers }: Reply, at: number): boolean {
  return (headers['content-security-policy-report-only'] ?? '').includes(` ${hostOf(at)}`)
}

/** A fresh zone with a page, which can be given policies and be visited. */
export async function site({ management, edge, adapter, random }: Context) {
  const { id, host } = await adapter.zone('enterprise')
  await adapter.page(id, '<!doctype html><title>Plimsoll</title><p>A page.</p>')
  const client: Client = edge.as(host)
  return {
    host,
    place: (expression: string, at: number) =>
      management.post(`/zones/${id}/page_shield/policies`, {
        json: {
          ...draft(random),
          ...{ action: 'log', enabled: 'true', expression, value: `script-src ${hostOf(at)}` }
        }
      }),
    visit({ method, path, query, agent, headers }: Visit) {
      const target = query === '' ? path : `${path}?${query}`
      const named = { ...headers, 'user-agent': agent }
      return client[method.toLowerCase() as 'get' | 'post' | 'put'](target, { headers: named })
    }
  }
}
