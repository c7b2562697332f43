import type { Context, Look } from 'plimsoll'
import { type Item, isServed } from '../_reply.ts'
import { attacks } from './_attacks.ts'
import { type Managed, overriding } from './_managed.ts'
import { scoreOverride } from './_owasp.ts'
import { isStopped } from './_stage.ts'

/** The scores from which the document has a request for an attack, at its Medium and its High. */
const [medium, high] = [40, 25]

const requests = {
  'all attacks at once': Object.values(attacks),
  'one attack': [attacks['a script']]
}

/** The ruleset as the documented members alone deploy it; neither says a threshold. */
function without(rule: Item, id: unknown): { [deployed: string]: Item } {
  const ruleset = rule.action_parameters.id
  const overrides = { rules: [{ id, action: 'block', enabled: true }] }
  return {
    'no override': { ...rule, action_parameters: { id: ruleset } },
    'an override of action alone': { ...rule, action_parameters: { id: ruleset, overrides } }
  }
}

/** What a ruleset that adds up does by itself, of requests that are surely above and below. */
export async function byDefault(
  { edge, adapter }: Pick<Context, 'edge' | 'adapter'>,
  zone: Managed,
  rule: Item
): Promise<Look[]> {
  const client = edge.as(zone.on.zone.host)
  const { id } = scoreOverride({ name: '', rules: [rule] })!
  const send = (path: string, texts: readonly string[]) => {
    const query = new URLSearchParams(texts.map((text, at): [string, string] => [`q${at}`, text]))
    return client.get(`${path}?${query}`)
  }
  /** Whether an explicit threshold stops it; its levels are those of a plain deployment. */
  const comesTo = async (score_threshold: number, texts: readonly string[]) => {
    const set = overriding(rule, [{ id, score_threshold }])
    const reply = await zone.on.deploy({ name: 'Plimsoll', rules: [set] })
    return isServed(reply) ? isStopped(await send('/', texts)) : undefined
  }
  const looks: Look[] = []
  for (const [request, texts] of Object.entries(requests)) {
    const isAbove = await comesTo(medium, texts)
    // Between the two it is open, and what scores nothing shows nothing by passing.
    const isBelow = (await comesTo(high, texts)) === false && (await comesTo(1, texts)) === true
    if (!isAbove && !isBelow) continue
    for (const [at, [deployed, one]] of Object.entries(without(rule, id)).entries()) {
      if (!(await zone.deploy([one]))) continue
      const path = `/default/${isAbove ? 'above' : 'below'}/${at}`
      const reply = await send(path, texts)
      const events = await adapter.securityEvents(zone.on.zone.id)
      // By which action a ruleset acts of itself is not said: any event of it is one.
      const acts = isStopped(reply) || events.some((event) => event.path === path)
      const scores = isAbove ? `${medium} or more` : `less than ${high}`
      const asked = `${request}, which scores ${scores}, with ${deployed}`
      looks.push({ asked, holds: acts === isAbove, saw: acts ? 'acted' : 'let pass', reply })
    }
  }
  return looks
}
