import { isBesideThePoint, isServed } from '../_reply.ts'
import { edgeCheck } from './_late.ts'
import { fates, isStopped, site, siteNeeds } from './_stage.ts'

const clause = 'waf-migration.config-accepted-by-update'
const [count, bytes] = [120, 3_900]

/** Where the previous WAF is on though it is off elsewhere: in all, longer than a rule may be. */
const pageRules = Array.from({ length: count }, (_, nth) => ({
  url: `*/a-long-name-of-a-place-${nth}/*`,
  waf: 'on' as const
}))
const paths = (letter: string) =>
  Array.from({ length: bytes / 30 }, (_, nth) => `http.host eq "${letter}${nth}.test"`)
const firewallRules = ['a', 'b'].map((letter) => ({
  expression: paths(letter)
    .join(' or ')
    .slice(0, bytes)
    .replace(/ or [^"]*("[^"]*)?$/, ''),
  action: 'bypass' as const
}))

export default edgeCheck({
  title:
    'However large the proposed configuration is, it is accepted as it is, and does what it says',
  clauses: [clause],
  needs: siteNeeds,
  async run(context) {
    const on = await site(context, { plan: 'business', enabled: false, pageRules, firewallRules })
    const places = { last: `/a-long-name-of-a-place-${count - 1}/a`, other: '/a' }
    const before = await on.attack(places.last)
    const config = await on.config()
    // Some may have no more than so many of them.
    if (!isStopped(before) || isBesideThePoint(config) || !isServed(config)) return
    const reply = await on.migrate('pending', config.json.result)
    if (isBesideThePoint(reply)) return
    const after = [await on.attack(places.last), await on.attack(places.other)] as const
    const holds = isServed(reply) && isStopped(after[0]) && !isStopped(after[1])
    const saw = `${reply.because}; ${fates({ there: after[0], elsewhere: after[1] })}`
    context.verify(clause, { holds, saw }, config, reply, ...after)
  }
})
