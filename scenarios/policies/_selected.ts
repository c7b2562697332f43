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

async function together(context: Context, said: readonly Said[], visits: readonly Visit[]) {
  const on = await site(context)
  const placed: Reply[] = []
  for (const [at, [expression]] of said.entries()) {
    const reply = await on.place(expression, at)
    // A target may have had enough of policies, and not of this one.
    placed.push(isKept(reply) ? reply : await (await site(context)).place(expression, at))
  }
  const seen: [Visit, Reply][] = []
  for (const visit of visits) seen.push([visit, await on.visit(visit)])
  return said.map(([expression, isMeant], at): Selected => {
    const looks = seen.map(([visit, reply]): Look => {
      const asked = `${expression} of ${visitNamed(visit)}`
      const saw = isShown(reply, at) ? 'applied' : `not applied (${reply.because})`
      return { asked, holds: isShown(reply, at) === isMeant(visit), saw, reply }
    })
    const reply = placed[at]!
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
