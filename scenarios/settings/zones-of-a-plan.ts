import { check, type Look, summary } from 'plimsoll'
import { canonical, type Item, isServed, item } from '../_reply.ts'

const clause = 'page-protection.settings.feature-per-zone'

const plans = ['enterprise', 'enterprise', 'free']
/** Which of the zones are turned on or off, one after another. */
const turns: [nth: number, enabled: boolean][] = [
  [0, true],
  [1, true],
  [2, true],
  [0, false]
]

/** What is documented of settings, in one text; a moment is one in whatever form. */
const told = ({ updated_at: at, ...rest }: Item) => {
  const flags = Object.entries(rest).filter(([field]) => /^(enabled|use_.*)$/.test(field))
  return canonical({ ...Object.fromEntries(flags), at: Date.parse(at) })
}

export default check({
  title:
    'Turning the feature on or off in one zone changes nothing in any other, whatever its plan',
  clauses: [clause],
  needs: ['management', 'zone'],
  async run({ management, adapter, verify }) {
    const paths: string[] = []
    for (const plan of plans) paths.push(`/zones/${(await adapter.zone(plan)).id}/page_shield`)
    const read = () => Promise.all(paths.map((path) => management.get(path)))
    const looks: Look[] = []
    let before = await read()
    for (const [nth, enabled] of turns) {
      const turned = await management.put(paths[nth]!, { json: { enabled } })
      const after = await read()
      for (const [at, reply] of after.entries()) {
        const both = [before[at]!, reply]
        if (at === nth || ![turned, ...both].every(isServed)) continue
        const [was, is] = both.map((one) => told(item(one)))
        const asked = `${plans[nth]} turned ${enabled ? 'on' : 'off'}, another on ${plans[at]}`
        looks.push({ asked, holds: was === is, saw: was === is ? 'as before' : `now ${is}`, reply })
      }
      before = after
    }
    const found = summary(looks)
    if (found) verify(clause, ...found)
  }
})
