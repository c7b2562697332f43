import { type Look, summary } from 'plimsoll'
import { attacks } from './_attacks.ts'
import { byDefault } from './_default-threshold.ts'
import { edgeCheck } from './_late.ts'
import { managed } from './_managed.ts'
import { scoredRule, scoreOf } from './_score.ts'
import { siteNeeds } from './_stage.ts'

const clause = 'waf-migration.after.rulesets-api-manages'

export default edgeCheck({
  title: 'What is found in a request adds up, and is held against the threshold',
  clauses: [clause],
  needs: [...siteNeeds, 'securityEvents'],
  async run(context) {
    const zone = await managed(context)
    const rule = zone && scoredRule(zone)
    if (!zone || rule === undefined) return
    const looks: Look[] = []
    const pairs = [
      [attacks['a script'], attacks['a second query']],
      [attacks['a shell command'], attacks['a handler of events']]
    ] as const
    for (const [one, other] of pairs) {
      const first = await scoreOf(context, { zone, rule, texts: [one] })
      const second = await scoreOf(context, { zone, rule, texts: [other] })
      const both = await scoreOf(context, { zone, rule, texts: [one, other] })
      if (!first?.score || !second?.score || !both) continue
      // What several rules see in both counts once: together they are no more than one by one.
      const holds =
        both.score <= first.score + second.score &&
        both.score >= Math.max(first.score, second.score) &&
        both.score > first.score
      const saw = `scores ${first.score} and ${second.score}, together ${both.score}`
      looks.push({ asked: `${one} and ${other}`, holds, saw, reply: both.reply })
    }
    looks.push(...(await byDefault(context, zone, rule)))
    const found = summary(looks)
    if (found) context.verify(clause, ...found)
  }
})
