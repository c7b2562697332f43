import { check } from 'plimsoll'
import { oneOf } from './_plan.ts'

const clause = 'limits.account.functions.free'
const triggers = 'limits.account.scheduled-triggers.free'
const [most, mostTriggers] = [100, 5]
// Who has no handler for them need not be given triggers.
const source = "export default { fetch: () => new Response('here'), scheduled() {} }"

export default check({
  title: 'Where a function is taken away there is room for another one, and for its triggers',
  clauses: [clause, triggers],
  needs: ['edge', 'account', 'deploy', 'remove', 'trigger'],
  async run(context) {
    const { adapter, edge, verify } = context
    const { id: account } = await adapter.account('free')
    const deploy = (name: string) => adapter.deploy({ account, name, source })
    // Half a year away from any day: none of them is to fire meanwhile.
    const month = ((new Date().getUTCMonth() + 6) % 12) + 1
    const trigger = (id: string, minute: number) => adapter.trigger(id, `${minute} 0 1 ${month} *`)
    const made: { id: string; host: string }[] = []
    for (let number = 0; number < most; number++) {
      const said = await deploy(`number-${number}`)
      if (!said.accepted) return
      made.push(said)
    }
    const gone = oneOf(made.slice(1), context)
    for (let minute = 0; minute < mostTriggers; minute++)
      if (!(await trigger(gone.id, minute)).accepted) return
    await adapter.remove(gone.id)
    const [next, beyond] = [await deploy('next'), await deploy('beyond')]
    const reply = await edge.as(made[0]!.host).get('/')
    const fate = (said: { accepted: boolean }) => (said.accepted ? 'taken' : 'refused')
    const saw = `of ${most} one is taken away: the next is ${fate(next)}, one more ${fate(beyond)}`
    verify(clause, { holds: next.accepted && !beyond.accepted, saw }, reply)
    const taken: string[] = []
    for (let minute = 0; minute <= mostTriggers; minute++)
      taken.push(fate(await trigger(made[0]!.id, minute)))
    const holds =
      taken.lastIndexOf('taken') === mostTriggers - 1 && !taken.slice(0, -1).includes('refused')
    const words = `its ${mostTriggers} triggers went with it: ${taken.join(', ')}`
    verify(triggers, { holds, saw: words }, reply)
  }
})
