import { check, isOk, type Look, summary } from 'plimsoll'
import { isServed, item, quoted } from '../_reply.ts'
import { browsers, patiently } from './_browser.ts'
import { originServer } from './_origin.ts'

const clause = 'page-protection.cookie.field.max-age-attribute'

/** By its name, how a cookie is set, and what may be shown of that. */
const set: { [name: string]: [attribute: string, shown: readonly (number | null)[]] } = {
  kept: ['Max-Age=1', [1]],
  ended: ['Max-Age=0', [0]],
  // What ends before now ends now (RFC 6265, 5.2.2).
  past: ['Max-Age=-7', [-7, 0]],
  // The longest time that browsers keep one for.
  long: ['Max-Age=34560000', [34_560_000]],
  // What is no number is not there (RFC 6265, 5.2.2).
  vague: ['Max-Age=soon', [null]]
}

export default check({
  title: 'However long a cookie is to be kept, its `Max-Age` is shown as it was set',
  clauses: [clause],
  needs: ['management', 'edge', 'zone', 'origin'],
  async run(context) {
    const zone = await context.adapter.zone('enterprise')
    await using origin = await originServer(() => ({
      type: 'text/html',
      cookies: Object.entries(set).map(([name, [attribute]]) => `${name}=1; Path=/; ${attribute}`),
      body: '<!doctype html><title>Plimsoll</title>'
    }))
    await context.adapter.origin(zone.id, origin.url)
    const on = browsers(context, zone)
    await on.turn(true)
    for (let time = 0; time < 3; time++) if (!isOk(await on.visit())) return
    // Whether one that ends as it is set is detected is not said.
    const { all } = await patiently(
      () => on.listed('cookies'),
      ({ all }) => all.some(({ name }) => name === 'kept')
    )
    const looks: Look[] = []
    for (const one of all) {
      const [attribute, due] = set[one.name] ?? []
      const reply = await on.read('cookies', one)
      const { max_age_attribute: shown = null } = item(reply)
      if (!due || !isServed(reply)) continue
      looks.push({ asked: attribute!, holds: due.includes(shown), saw: quoted(shown), reply })
    }
    const found = summary(looks)
    if (found) context.verify(clause, ...found)
  }
})
