import { check, type Look, type Reply, summary } from 'plimsoll'
import { patiently } from '../detections/_browser.ts'
import { isKept, isShown, site } from './_selected.ts'
import { visits } from './_visits.ts'

const clause = 'policy.semantics.expression-selects-requests'
const hourMs = 3_600_000

export default check({
  title: 'When a request is made decides, too, whether a policy is for it',
  clauses: [clause],
  needs: ['management', 'edge', 'zone', 'page', 'clock'],
  alone: ['clock'],
  async run(context) {
    const { adapter, verify } = context
    const on = await site(context)
    const [visit] = visits
    const dueSeconds = Math.floor(((await adapter.clock(0)) + hourMs / 2) / 1_000)
    const said = ['lt', 'ge'].map((than) => `http.request.timestamp.sec ${than} ${dueSeconds}`)
    // A target need not know this field.
    for (const [at, expression] of said.entries())
      if (!isKept(await on.place(expression, at))) return
    // How soon a policy is in force is not said: this one is for all, and comes last.
    const marker = said.length
    await on.place(`http.host eq "${on.host}"`, marker)
    const isInForce = (reply: Reply) => isShown(reply, marker)
    if (!isInForce(await patiently(() => on.visit(visit!), isInForce))) return
    const looks: Look[] = []
    for (const isDue of [false, true]) {
      if (isDue) await adapter.clock(hourMs)
      const reply = await on.visit(visit!)
      for (const [at, expression] of said.entries()) {
        const [saw, isMeant] = [isShown(reply, at), (at === 1) === isDue]
        const asked = `${expression}, half an hour ${isDue ? 'after' : 'before'} that`
        looks.push({ asked, holds: saw === isMeant, saw: `applied: ${saw}`, reply })
      }
    }
    const found = summary(looks)
    if (found) verify(clause, ...found)
  }
})
