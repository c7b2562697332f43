import { isOk, type Look, pairwise, type Reply, summary } from 'plimsoll'
import { apart } from './_apart.ts'
import { type Attack, attacks, methodsFor, type Place, places, sendTo } from './_attacks.ts'
import { edgeCheck } from './_late.ts'
import { fates, isStopped, siteNeeds } from './_stage.ts'

const both = 'waf-migration.transition.validation-both-enabled'
const equivalent = 'waf-migration.config'

/** Where any WAF that is enabled looks; elsewhere it has to look after the migration as before. */
const usual = ['the query', 'a form']

export default edgeCheck({
  title: 'What the previous WAF stops the new one stops, whatever it is and wherever it stands',
  clauses: [both, equivalent],
  needs: siteNeeds,
  async run(context) {
    const found = await apart(context)
    if (!found?.isThere) return
    const client = context.edge.as(found.on.zone.host)
    const looks: (Look & { place: Place })[] = []
    const quiets = new Map<string, Reply>()
    const asked = pairwise(
      {
        attack: Object.keys(attacks) as Attack[],
        place: Object.keys(places) as Place[],
        nth: [0, 1, 2]
      },
      context
    )
    for (const { attack, place, nth } of asked) {
      const methods = methodsFor(place)
      const method = methods[nth % methods.length]!
      const at = { place, method, text: attacks[attack] }
      const known = quiets.get(`${place} ${method}`)
      const quiet = known ?? (await sendTo(client, '/new/', { ...at, text: 'a quiet word' }))
      quiets.set(`${place} ${method}`, quiet)
      const saw = fates({ 'a quiet word': quiet })
      if (method === 'get' && !known)
        looks.push({ place, asked: place, holds: isOk(quiet), saw, reply: quiet })
      // A page need not be there for every method.
      if (!isOk(quiet)) continue
      const [before, after] = [await sendTo(client, '/old/', at), await sendTo(client, '/new/', at)]
      const isBoth = isStopped(before) && isStopped(after)
      const isNeither = !isStopped(before) && !isStopped(after)
      looks.push({
        place,
        asked: `${attack} in ${place}, ${method}`,
        holds: isBoth || (isNeither && !usual.includes(place)),
        saw: fates({ 'by the previous WAF': before, 'by the new one': after }),
        reply: after
      })
    }
    const [known, others] = [
      looks.filter(({ place }) => usual.includes(place)),
      looks.filter(({ place }) => !usual.includes(place))
    ]
    const enabled = summary(known)
    if (enabled) context.verify(both, ...enabled)
    // A WAF that finds nothing at all is not on, and shows nothing of what it is equivalent to.
    const alike = known.every(({ holds }) => holds) ? summary(others) : undefined
    if (alike) context.verify(equivalent, ...alike)
  }
})
