import { check, generated } from 'plimsoll'
import { mirror, reflected, type Stand } from './_mirror.ts'
import { functionPlans } from './_plan.ts'

const clause = 'functions.answer'
const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const
const withBody = ['post', 'put', 'patch']
const longest = 200_000

export default check({
  title: 'A request reaches a function as it was sent, and what that answers comes back',
  clauses: [clause],
  needs: ['edge', 'account', 'deploy'],
  async run(context) {
    const { adapter, edge, verify } = context
    const stands: Stand[] = []
    for (const plan of functionPlans) {
      const { id: account } = await adapter.account(plan)
      // Modules beside the main one are part of a function, too.
      const source = {
        'main.js': `export { default } from './parts/mirror.js'`,
        'parts/mirror.js': mirror
      }
      const said = await adapter.deploy({ account, name: 'mirror', source, env: { NAME: plan } })
      if (!said.accepted) {
        const reply = await edge.get('/')
        verify(clause, { holds: false, saw: `${plan}: refused, ${said.because}` }, reply)
        return
      }
      stands.push({ client: edge.as(said.host), host: said.host, name: plan })
    }
    const seen = await generated(context, {
      budget: { quick: 24, full: 200 },
      of: (any) =>
        any.record({
          stand: any.constantFrom(...stands.keys()),
          method: any.constantFrom(...methods),
          path: any.stringMatching(/^\/([\w~-]|%20){0,20}(\?[\w.~=&-]{1,20})?$/),
          status: any.constantFrom(200, 201, 203, 204, 404, 409),
          header: any.stringMatching(/^[\w.,;=~-]{1,40}$/),
          letter: any.constantFrom('a', '0', '\n', '"'),
          length: any.oneof(any.nat(100), any.nat(longest))
        }),
      ask: ({ stand, letter, length, ...sent }) => {
        const body = withBody.includes(sent.method) ? letter.repeat(length) : undefined
        return reflected(stands[stand]!, { ...sent, body })
      }
    })
    if (seen) verify(clause, ...seen)
  }
})
