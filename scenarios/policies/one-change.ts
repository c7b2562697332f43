import { check, type Look, summary } from 'plimsoll'
import { isServed } from '../_reply.ts'
import { patience } from '../detections/_browser.ts'
import { hosts, type Meant, pages } from './_pages.ts'

const allow = 'policy.semantics.allow-blocks'
const log = 'policy.semantics.log-reports-not-blocks'
const expression = 'policy.semantics.expression-selects-requests'
const off = 'policy.semantics.enabled-false-inert'

const first: Meant = { action: 'allow', enabled: 'true', hosts: [hosts[0]], paths: [] }

/** One update after another, each of a single field, by the clause that says what comes of it. */
const updates: readonly [clause: string, change: Partial<Meant>][] = [
  [allow, {}],
  // A change by which nothing is longer or shorter is one as well.
  [allow, { hosts: [hosts[3]] }],
  [allow, { hosts: [hosts[1]] }],
  [allow, { hosts: [hosts[1], hosts[2]] }],
  [log, { action: 'log' }],
  [log, { hosts: [hosts[0]] }],
  [expression, { paths: ['/pay'] }],
  [expression, { paths: ['/buy'] }],
  [expression, { paths: ['/'] }],
  [allow, { action: 'allow' }],
  [off, { enabled: 'false' }],
  [allow, { enabled: 'true' }],
  [expression, { paths: [] }],
  // What is last is what a target need not take: the other form of a boolean.
  [off, { enabled: false }],
  [allow, { enabled: true }]
]

export default check({
  title: 'A policy has another effect as soon as one field of it is another, and no sooner',
  clauses: [allow, log, expression, off],
  needs: ['management', 'edge', 'zone', 'page'],
  async run(context) {
    const on = await pages(context)
    if (!on.isServed()) return
    // How soon an update is in force is not said; that it is some time, is.
    const once = patience()
    const look = (meant: Meant) =>
      once(
        () => on.odd([meant]),
        ({ odd }) => odd.length === 0
      )
    const path = await on.create(first)
    // What has no effect from the beginning is the matter of others.
    if (path === undefined || (await look(first)).odd.length > 0) return
    const looks: { [clause: string]: Look[] } = {}
    let meant = first
    for (const [clause, change] of updates) {
      meant = { ...meant, ...change }
      if (!isServed(await on.replace(path, meant))) break
      const { odd, reply } = await look(meant)
      const asked = `updated by ${JSON.stringify(change)}`
      const saw = odd[0] ?? 'its effect is that'
      looks[clause] = [...(looks[clause] ?? []), { asked, holds: odd.length === 0, saw, reply }]
      // One that did not come makes all that follow others.
      if (odd.length > 0) break
    }
    for (const [clause, some] of Object.entries(looks)) {
      const found = summary(some)
      if (found) context.verify(clause, ...found)
    }
  }
})
