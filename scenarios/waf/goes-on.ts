import { type Arbitraries, check, generated, isOk } from 'plimsoll'
import { isServed } from '../_reply.ts'
import { askTwin, goesOn, type Twin, withTwin } from '../_twin.ts'
import { type Place, places, sendTo } from './_attacks.ts'
import { calls, entrypoint, site, siteNeeds } from './_stage.ts'

const clause = 'waf-migration.check'

/** What is not what it is taken for in some part of a request, or not yet all of it. */
const pieces = [
  ...['%', '%%', '%2', '%25', '%zz', '%00', '%c0%af', '%u0041', '&#37;', '&amp', '\\x', '\\u00'],
  ...['+', '&', '=', ';', '?', '/', '..', '//', "'", '"', '`', '<', '>', '<!--', '/*', '--', '#'],
  ...['(', ')', '[', '{', '$', '^', '|', ',', ':', ' ', 'a', '0', 'union', 'select', 'script']
]

const anyText = (any: Arbitraries) =>
  any
    .array(any.constantFrom(...pieces), { minLength: 1, maxLength: 12 })
    .map((some) => some.join(''))

/** A zone of a twin with a page and both WAFs, as far as it takes that; and how it is asked. */
async function protectedBy({ adapter, management, edge }: Twin) {
  const { disposableZone, page, previousWaf } = adapter as Required<typeof adapter>
  const { id, host } = await disposableZone('enterprise')
  await page(id, '<!doctype html><title>Plimsoll</title><p>A page.</p>')
  await previousWaf(id, { enabled: true })
  const read = (name: string) =>
    askTwin(management, { path: `/zones/${id}/waf_migration/${name}?phase_two=1` })
  await askTwin(management, {
    ...{ method: 'PUT', json: (await read('config'))?.json?.result },
    path: `/zones/${id}/${entrypoint}?waf_migration=validation&phase_two=1`
  })
  return {
    isAnswering: async () => (await read('check'))?.status === 200,
    /** Sends a text in one place of a request; whether anything at all is answered. */
    async isAnswered(place: Place, text: string): Promise<boolean> {
      const { tail = '', ...sent } = places[place](text) as { tail?: string }
      const method = /form|JSON/.test(place) ? 'POST' : 'GET'
      const asked = { method, path: `/${tail}`, ...sent }
      const headers = { ...('headers' in sent && (sent.headers as object)), host }
      return (await askTwin(edge, { ...asked, headers })) !== undefined
    }
  }
}

export default check({
  title: 'Whatever a request has in it that a WAF looks at, the API goes on to answer',
  clauses: [clause],
  needs: [...siteNeeds, 'twin'],
  async run(context) {
    const { management, edge, verify } = context
    const on = await site(context, { plan: 'enterprise', enabled: true })
    const beside = () => calls(management, on.zone.id).check()
    const quiet = { text: 'a quiet word', place: 'the query', method: 'get' } as const
    const [first, page] = [await beside(), await sendTo(edge.as(on.zone.host), '/', quiet)]
    if (!isServed(first) || !isOk(page)) return
    await withTwin(context, async (twin) => {
      const { isAnswering, isAnswered } = await protectedBy(twin)
      if (!(await isAnswered('the query', quiet.text)) || !(await isAnswering())) return
      let isOver = false
      const found = await generated(context, {
        budget: { quick: 60, full: 1_000 },
        of: (any) =>
          any.record({
            place: any.constantFrom(...(Object.keys(places) as Place[])),
            text: anyText(any)
          }),
        async ask({ place, text }) {
          // Of one that stands still nothing more is known.
          if (isOver) return undefined
          const asked = `${JSON.stringify(text)} in ${place}`
          const isHere = await isAnswered(place, text)
          if (isHere) return { asked, holds: true, saw: 'it is answered', reply: first }
          const look = await goesOn(asked, { isAnswering, beside })
          isOver = look?.holds !== true
          return look
        }
      })
      if (found) verify(clause, ...found)
    })
  }
})
