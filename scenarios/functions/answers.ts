import { type Context, check, generated, type Look, summary } from 'plimsoll'
import { mirror, reflected, reflectedOverHttp2, type Stand } from './_mirror.ts'
import { answered } from './_mute.ts'
import { functionPlans, zonePlans } from './_plan.ts'

const clause = 'functions.answer'
const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const
const withBody = ['post', 'put', 'patch']
const longest = 200_000
const large = 2_600_000

/** What comes of requests that chance makes, to any of the mirrors, and whether one was mute. */
async function byChance(context: Context, stands: readonly Stand[]) {
  // Nobody waits for another one that never comes.
  let isMute = false
  const seen = await generated(context, {
    budget: { quick: 24, full: 200 },
    of: (any) =>
      any.record({
        stand: any.constantFrom(...stands.keys()),
        method: any.constantFrom(...methods),
        path: any.stringMatching(/^\/([\w~-]|%20){0,20}(\?[\w.~=&-]{1,20})?$/),
        status: any.constantFrom(200, 201, 203, 204, 404, 409),
        header: any.stringMatching(/^[\w.,;=~-]{1,40}$/),
        form: any.constantFrom(undefined, 'text', 'buffer', 'stream'),
        letter: any.constantFrom('a', '0', '\n', '"'),
        length: any.oneof(any.nat(100), any.nat(longest))
      }),
    async ask({ stand, letter, length, ...sent }) {
      if (isMute) return undefined
      const body = withBody.includes(sent.method) ? letter.repeat(length) : undefined
      const look = await reflected(stands[stand]!, { ...sent, body })
      isMute = look.reply.kind === 'timeout'
      return look
    }
  })
  return { seen, isMute }
}

export default check({
  title: 'A request reaches a function as it was sent, and what that answers comes back',
  clauses: [clause],
  // Where the edge serves others, a function that never answers is no outage.
  expectedReplies: ['timeout'],
  needs: ['edge', 'account', 'deploy', 'zoneOf', 'route', 'customDomain'],
  async run(context) {
    const { adapter, edge, verify } = context
    const stands: Stand[] = []
    for (const [at, plan] of functionPlans.entries()) {
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
      // The shared subdomain, a route and a custom domain, on zones of all plans.
      const zone = await adapter.zoneOf(account, zonePlans[at]!)
      const domain = `domain.${zone.host}`
      await adapter.route(zone.id, `${zone.host}/*`, { function: said.id })
      await adapter.customDomain(said.id, domain)
      for (const host of [said.host, zone.host, domain])
        stands.push({ client: edge.as(host), host, name: plan })
    }
    const mute = (
      await Promise.all(
        stands.map(async ({ client, host }): Promise<Look> => {
          const reply = await answered(() => client.get('/'))
          return { asked: host, holds: reply.kind !== 'timeout', saw: reply.because, reply }
        })
      )
    ).filter(({ holds }) => !holds)
    if (mute.length > 0) return verify(clause, ...summary(mute)!)
    const { seen, isMute } = await byChance(context, stands)
    if (seen) verify(clause, ...seen)
    if (isMute) return
    // All at once, of which none may be given what is another's, and the last ones are large.
    const crowd = stands.map((stand, at) =>
      reflected(stand, {
        ...{ method: 'post', path: `/${at}`, status: 200 + (at % 2), header: `request ${at}` },
        body: String(at).repeat(stand.name === 'standard' ? large / 2 : 20_000)
      })
    )
    const looks = await Promise.all(crowd)
    looks.push(...(await reflectedOverHttp2(stands[0]!, looks[0]!.reply)))
    verify(clause, ...summary(looks)!)
  }
})
