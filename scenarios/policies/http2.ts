import { type Client, type Context, check, isOk, type Look, type Reply, summary } from 'plimsoll'
import { type Fate, fateOf } from '../_csp.ts'
import { http2To, isAnswer, isMute, persistently, wordsOf } from '../_http2.ts'
import { hasBytes, isServed } from '../_reply.ts'
import { patience } from '../detections/_browser.ts'
import { originServer } from '../detections/_origin.ts'

/** By clause: the action of a policy that is by itself in its zone. */
const actions = {
  'policy.semantics.allow-blocks': 'allow',
  'policy.semantics.log-reports-not-blocks': 'log'
} as const
const clauses = Object.keys(actions) as (keyof typeof actions)[]
type Action = (typeof actions)[keyof typeof actions]

/** Whose scripts every policy lets pass, whose none does, and whose the one of cookies does not. */
const [allowed, other, withoutCookies] = ['a.cdn.test', 'b.cdn.test', 'c.cdn.test']
/** Cookies, which HTTP/2 may have in fields of their own, and are one text to an expression. */
const cookies = ['a=1', 'b=2']
const cookie = cookies.join('; ')
/** More than a piece of anything, so that an answer which is cut off shows. */
const html = `<!doctype html><title>Plimsoll</title><p>${'é€😀'.repeat(5_000)}`

/** That a header names another one changes nothing of that one. */
const exposed = ['Content-Security-Policy', 'Content-Security-Policy-Report-Only', 'ETag']

type Head = { headers: Record<string, string> }

/** Whether a page's head makes of the scripts what the policies say that are for it. */
function isAsSaid(action: Action, { headers }: Head, page: string): boolean {
  const [fate, ...others] = [allowed, other, withoutCookies].map((host) =>
    fateOf({ headers } as Reply, { page, script: `${new URL(page).protocol}//${host}/a.js` })
  ) as [Fate, Fate, Fate]
  if (action === 'allow') return !fate.isBlocked && others.every(({ isBlocked }) => isBlocked)
  return others.every(({ isBlocked, reports }) => !isBlocked && reports > fate.reports)
}

/** The same page as HTTP/1.1 and as HTTP/2 have it, where that is spoken. */
async function visits(client: Client) {
  const reply = await client.get('/', { headers: { cookie } })
  const http2 = await http2To(client)
  const asked = { method: 'GET', path: '/' }
  const told =
    http2 && (await persistently(http2, { ...asked, headers: { cookie: cookies } }, asked))
  http2?.close()
  return { reply, told }
}

/** What a zone's page is like over HTTP/2 with a policy that it has over HTTP/1.1. */
async function looksWith(
  { management, edge, adapter }: Context,
  { action, origin }: { action: Action; origin: string }
): Promise<Look[] | undefined> {
  const zone = await adapter.zone('enterprise')
  await adapter.origin(zone.id, origin)
  // Both come in fields of one name, or in one.
  const policies = [
    [`http.host eq "${zone.host}"`, `script-src ${allowed} ${withoutCookies}`],
    [`http.cookie eq "${cookie}"`, `script-src ${allowed}`]
  ]
  for (const [expression, value] of policies) {
    const json = { description: 'Plimsoll', action, expression, enabled: 'true', value }
    const created = await management.post(`/zones/${zone.id}/page_shield/policies`, { json })
    if (!isServed(created)) return undefined
  }
  const page = `${new URL(edge.url).protocol}//${zone.host}/`
  // How soon a policy is in force is not said.
  const isThere = (reply: Reply) => isAsSaid(action, reply, page)
  await patience()(() => edge.as(zone.host).get('/first', { headers: { cookie } }), isThere)
  const { reply, told } = await visits(edge.as(zone.host))
  // What is not so over HTTP/1.1 is the matter of who asks there.
  if (!isOk(reply) || !isAsSaid(action, reply, page)) return undefined
  const looks: Look[] = [{ asked: 'over HTTP/1.1', holds: true, saw: 'as it says', reply }]
  if (told !== undefined && !isAnswer(told) && isMute(told))
    return [...looks, { asked: 'over HTTP/2', holds: false, saw: wordsOf(told), reply }]
  if (!isAnswer(told) || told.status !== reply.status) return looks
  const isWhole = hasBytes(reply, Buffer.byteLength(told.text))
  const holds = isWhole && isAsSaid(action, told, page)
  const saw = isWhole ? (holds ? 'as it says' : 'another policy') : 'part of the page'
  return [...looks, { asked: 'over HTTP/2', holds, saw, reply }]
}

export default check({
  title: 'A page comes with its policies over HTTP/2 as well, where that is spoken',
  clauses,
  needs: ['management', 'edge', 'zone', 'origin'],
  async run(context) {
    const page = { type: 'text/html; charset=utf-8', exposed, body: html }
    await using origin = await originServer(() => page)
    for (const clause of clauses) {
      const looks = await looksWith(context, { action: actions[clause], origin: origin.url })
      if (looks) context.verify(clause, ...summary(looks)!)
    }
  }
})
