import { type Context, check, isOk, type Look, type Reply, summary } from 'plimsoll'
import { enforced, fateOf } from '../_csp.ts'
import { draft, type Policy, withPolicy } from '../_policy.ts'
import { isBesideThePoint } from '../_reply.ts'
import { browsers, patience } from '../detections/_browser.ts'

const [own, parent, outside] = ['cdn.example.test', 'example.test', 'outside.example.test']
const html = '<!doctype html><title>Plimsoll</title><p>A page with policies.</p>'

const log = 'policy.semantics.log-reports-not-blocks'
const allow = 'policy.semantics.allow-blocks'
const expression = 'policy.semantics.expression-selects-requests'
const off = 'policy.semantics.enabled-false-inert'
const other = `//${outside}/a.js`

type Change = Partial<Policy>

/** A fresh zone with a page, and what becomes of scripts on it while a policy is there. */
async function stage(context: Context) {
  const { management, edge, adapter, random } = context
  const zone = await adapter.zone('enterprise')
  await adapter.page(zone.id, html)
  await management.put(`/zones/${zone.id}/page_shield`, { json: { enabled: true } })
  const origin = `${new URL(edge.url).protocol}//${zone.host}`
  const address = (script: string) => new URL(script, origin).href
  const fate = (reply: Reply, script: string) =>
    fateOf(reply, { page: origin, script: address(script) })
  const visit = (path = '/') => edge.as(zone.host).get(path)
  const bare = await visit()
  /** Whether a page treats a script that no policy allows otherwise than without a policy. */
  const isApplied = (reply: Reply) => {
    const [after, before] = [fate(reply, `//${outside}/`), fate(bare, `//${outside}/`)]
    return after.isBlocked || after.reports > before.reports
  }
  // How soon a policy is in force, or no longer, is not said.
  const once = patience()

  return {
    address,
    fate,
    bare,
    isApplied,
    /** The page at each path while a policy is there that differs from the usual in this. */
    async under(change: Change, ...paths: string[]): Promise<Reply[]> {
      const usual = { action: 'allow', enabled: 'true', value: `script-src ${own}` }
      const everywhere = `http.host eq "${zone.host}"`
      const policy = { ...draft(random), ...usual, expression: everywhere, ...change }
      const replies: Reply[] = []
      await withPolicy({ management, zone: zone.id, policy }, async () => {
        const [first, ...others] = paths
        const isDue = (reply: Reply) => isApplied(reply) === (policy.enabled === 'true')
        replies.push(await once(() => visit(first), isDue))
        for (const path of others) replies.push(await visit(path))
      })
      await once(
        () => visit(paths[0]),
        (reply) => !isApplied(reply)
      )
      return replies
    },
    /** Posts what browsers report of a page to wherever its headers say; the answers. */
    async reported(reply: Reply, blocked: string): Promise<Reply[]> {
      const header = reply.headers['content-security-policy-report-only'] ?? ''
      const addresses = [...header.matchAll(/\breport-uri\s+([^\s;,]+)/gi)].map(([, to]) => to!)
      const own = addresses.filter((to) => new URL(to, origin).origin === origin)
      const met = { page: '/', blocked: address(blocked), directive: 'script-src-elem' }
      return Promise.all(own.map((to) => browsers(context, zone).report(to, met)))
    }
  }
}

type Stage = Awaited<ReturnType<typeof stage>>

/** How scripts fare, in words. */
function outcomes({ fate }: Stage, reply: Reply, scripts: string[]): string {
  const words = scripts.map((script) => {
    const { isBlocked, reports } = fate(reply, script)
    return `${script} ${isBlocked ? 'blocked' : 'runs'}, reported by ${reports}`
  })
  return words.join('; ')
}

/** Sources that nobody asks about, so many that the value with them is a long one. */
const fillers = Array.from({ length: 40 }, (_, n) => `n${n}.others.example.test`).join(' ')

/** By clause: lists of sources, the scripts that each allows, and scripts that it does not. */
function sourcesOf({ address }: Stage) {
  const url = address(`//${own}/shop/pay.js`)
  const cased = address(`//${own}/Shop/2/Pay.Min-v1_a~B.JS`)
  const lower = new URL(cased).pathname.toLowerCase()
  return {
    'policy.semantics.source-hostname': [
      [own, [`//${own}/a.js`, `//${own}/A/B.JS`], []],
      [`${fillers} ${own}`, [`//${own}/a.js`], [other]],
      [`${own} ${fillers}`, [`//${own}/a.js`, '//n39.others.example.test/a.js'], [other]],
      ['CDN.Example.TEST', [`//${own}/a.js`], [other]]
    ],
    'policy.semantics.hostname-excludes-parent': [[own, [], [`//${parent}/a.js`]]],
    'policy.semantics.source-full-url': [
      [url, [url], [`//${own}/shop/other.js`]],
      // Paths are told apart by the case of their letters.
      [cased, [cased], [`//${own}${lower}`]],
      [`${fillers} ${cased}`, [cased], [`//${own}/Shop/2/`]]
    ],
    'policy.semantics.source-self': [
      ["'self'", ['/a.js', '/A/B.JS'], [other]],
      [`${fillers} 'self'`, ['/a.js'], [other]]
    ]
  } satisfies Record<string, [sources: string, allowed: string[], others: string[]][]>
}

type Verify = Parameters<ReturnType<typeof check>['run']>[0]['verify']

async function judgeActions(on: Stage, verify: Verify) {
  const [reporting] = await on.under({ action: 'log' }, '/')
  const [enforcing] = await on.under({ action: 'allow' }, '/')
  const before = on.fate(on.bare, other)
  // A page that a policy makes a defect of is neither reported nor blocked as it should be.
  if (reporting && !isBesideThePoint(reporting)) {
    const { isBlocked, reports } = on.fate(reporting, other)
    const holds = !isBlocked && reports > before.reports
    verify(log, { holds, saw: `with log ${outcomes(on, reporting, [other])}` }, reporting)
    // Where reports can be counted is not said; that they are taken, by their being asked for.
    for (const reply of await on.reported(reporting, other))
      verify(log, { holds: reply.status < 500, saw: `a report: ${reply.because}` }, reply)
  }
  if (enforcing && !isBesideThePoint(enforcing)) {
    const holds = on.fate(enforcing, other).isBlocked
    verify(allow, { holds, saw: `with allow ${outcomes(on, enforcing, [other])}` }, enforcing)
  }
}

async function judgeSources(on: Stage, verify: Verify) {
  for (const [clause, lists] of Object.entries(sourcesOf(on))) {
    const looks: Look[] = []
    for (const [sources, allowed, others] of lists) {
      const [reply] = await on.under({ value: `script-src ${sources}` }, '/')
      // A policy that is not enforced is the matter of another clause.
      if (!reply || enforced(reply) <= enforced(on.bare)) continue
      const isBlocked = (script: string) => on.fate(reply, script).isBlocked
      const holds = !allowed.some(isBlocked) && others.every(isBlocked)
      const saw = outcomes(on, reply, [...allowed, ...others])
      looks.push({ asked: `…${sources.slice(-60)}`, holds, saw, reply })
    }
    const found = summary(looks)
    if (found) verify(clause, ...found)
  }
}

async function judgeSelection(on: Stage, verify: Verify) {
  const [usual] = await on.under({}, '/')
  if (!usual || !on.isApplied(usual)) return
  const meant = { expression: 'http.request.uri.path eq "/pay"' }
  const [asked, notAsked] = await on.under(meant, '/pay', '/')
  if (asked && notAsked && isOk(asked) && isOk(notAsked)) {
    const [at, elsewhere] = [on.isApplied(asked), on.isApplied(notAsked)]
    const saw = `for /pay only; applied at /pay: ${at}, applied at /: ${elsewhere}`
    verify(expression, { holds: at && !elsewhere, saw }, asked, notAsked)
  }
  const [disabled] = await on.under({ enabled: 'false' }, '/')
  if (disabled && isOk(disabled)) {
    const holds = !on.isApplied(disabled)
    verify(off, { holds, saw: `off; applied: ${!holds}` }, usual, disabled)
  }
}

export default check({
  title: 'A policy has the effect on the pages of its zone that its fields describe',
  clauses: [
    ...[log, allow, expression, off],
    'policy.semantics.source-hostname',
    'policy.semantics.hostname-excludes-parent',
    'policy.semantics.source-full-url',
    'policy.semantics.source-self'
  ],
  needs: ['management', 'edge', 'zone', 'page'],
  async run(context) {
    const on = await stage(context)
    if (!isOk(on.bare)) return
    await judgeActions(on, context.verify)
    await judgeSources(on, context.verify)
    await judgeSelection(on, context.verify)
  }
})
