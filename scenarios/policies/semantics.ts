import { check, isOk, type Judge } from 'plimsoll'
import { isBesideThePoint } from '../_reply.ts'
import { outcomes, outside, type Stage, stage } from './_effects.ts'
import { judgeSources, sourceClauses } from './_sources.ts'

const log = 'policy.semantics.log-reports-not-blocks'
const allow = 'policy.semantics.allow-blocks'
const expression = 'policy.semantics.expression-selects-requests'
const off = 'policy.semantics.enabled-false-inert'
const other = `//${outside}/a.js`

async function judgeActions(on: Stage, { verify }: Judge) {
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

async function judgeSelection(on: Stage, { verify }: Judge) {
  const [usual] = await on.under({}, '/')
  if (!usual || !on.isApplied(usual)) return
  const meant = { expression: 'http.request.uri.path eq "/pay"' }
  const [asked, notAsked] = await on.under(meant, '/pay', '/')
  if (asked && notAsked && isOk(asked) && isOk(notAsked)) {
    const [at, elsewhere] = [on.isApplied(asked), on.isApplied(notAsked)]
    const saw = `for /pay only; applied at /pay: ${at}, applied at /: ${elsewhere}`
    verify(expression, { holds: at && !elsewhere, saw }, asked, notAsked)
  }
  // Both forms of a boolean have its value, where they are taken.
  for (const enabled of ['false', false, true]) {
    const [reply] = await on.under({ enabled }, '/')
    if (!reply || !isOk(reply)) continue
    const holds = on.isApplied(reply) === (enabled === true)
    const saw = `enabled ${JSON.stringify(enabled)}; applied: ${on.isApplied(reply)}`
    verify(off, { holds, saw }, usual, reply)
  }
}

export default check({
  title: 'A policy has the effect on the pages of its zone that its fields describe',
  clauses: [log, allow, expression, off, ...sourceClauses],
  needs: ['management', 'edge', 'zone', 'page'],
  async run(context) {
    const on = await stage(context)
    if (!isOk(on.bare)) return
    await judgeActions(on, context)
    await judgeSources(on, context)
    await judgeSelection(on, context)
  }
})
