import type { Context, Reply } from 'plimsoll'
import { type Item, isServed } from '../_reply.ts'
import { type Managed, overriding } from './_managed.ts'
import { scoreOverride } from './_owasp.ts'
import { isStopped } from './_stage.ts'

/** The highest threshold that a request comes to, 0 where it comes to none; and what showed it. */
export type Score = { score: number; reply: Reply }

/** The rule that executes the ruleset which adds up scores, where there is one. */
export function scoredRule({ rules }: Managed): Item | undefined {
  return rules.find((one) => scoreOverride({ name: '', rules: [one] }) !== undefined)
}

type Asked = {
  zone: Managed
  rule: Item
  texts: readonly string[]
  /** A score that the request surely has not. */
  below?: number
}

/** Finds a request's score by bisection; undefined where thresholds are not taken. */
export async function scoreOf(
  { edge }: Pick<Context, 'edge'>,
  { zone, rule, texts, below = 400 }: Asked
): Promise<Score | undefined> {
  const client = edge.as(zone.on.zone.host)
  const query = new URLSearchParams(texts.map((text, at): [string, string] => [`q${at}`, text]))
  const { id } = scoreOverride({ name: '', rules: [rule] })!
  let [stopped, through] = [0, below]
  let last: Reply | undefined
  while (through - stopped > 1) {
    const middle = (stopped + through) >> 1
    const rules = [overriding(rule, [{ id, score_threshold: middle }])]
    if (!isServed(await zone.on.deploy({ name: 'Plimsoll', rules }))) return undefined
    last = await client.get(`/?${query}`)
    if (isStopped(last)) stopped = middle
    else through = middle
  }
  return last && { score: stopped, reply: last }
}
