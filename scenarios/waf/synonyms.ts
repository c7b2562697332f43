import { type Context, check, type Look, summary } from 'plimsoll'
import { isRefused, isServed, quoted } from '../_reply.ts'
import { configurationIn, stage } from './_stage.ts'

/** A zone on a plan, and by which update it has come to where it is. */
type Start = { plan: string; before?: string }

const plans = ['enterprise', 'pro', 'business', 'free'].map((plan): Start => ({ plan }))
const inValidation: Start = { plan: 'enterprise', before: 'validation' }

/** By clause: a word, and the digit that stands for it, wherever a zone is. */
const values: { [clause: string]: { word: string; digit: string } } = {
  'waf-migration.param-waf-migration-pending-synonym': { word: 'pending', digit: '1' },
  'waf-migration.param-waf-migration-validation-synonym': { word: 'validation', digit: '2' }
}

/** What an update with this value comes to. */
async function outcome(context: Context, { plan, before }: Start, value: string) {
  const on = await stage(context, plan)
  const configuration = configurationIn(await on.config())
  if (configuration === undefined) return undefined
  if (before && !isServed(await on.migrate(before, configuration))) return undefined
  const reply = await on.migrate(value, configuration)
  return { reply, isServed: isServed(reply), state: await on.state() }
}

export default check({
  title: 'For waf_migration 1 is another word for pending, and 2 for validation',
  clauses: Object.keys(values),
  needs: ['management', 'disposableZone', 'migrated'],
  async run(context) {
    for (const [clause, { word, digit }] of Object.entries(values)) {
      const looks: Look[] = []
      for (const start of [...plans, inValidation]) {
        const one = await outcome(context, start, word)
        const other = await outcome(context, start, digit)
        // Whether the word works is a matter of the transition it stands for.
        if (!one || !other || !(one.isServed || isRefused(one.reply))) continue
        const holds = other.isServed === one.isServed && other.state === one.state
        const saw = `${word} leads to ${quoted(one.state)}, ${digit} to ${quoted(other.state)}`
        const asked = `${start.plan}${start.before ? ` in ${start.before}` : ''}`
        looks.push({ asked, holds, saw, reply: other.reply })
      }
      const found = summary(looks)
      if (found) context.verify(clause, ...found)
      // A value that is neither asks for nothing.
      const none = await outcome(context, plans[0]!, `${digit}0`)
      if (none === undefined || found === undefined) continue
      const stays = { holds: none.state === 'start', saw: `${digit}0: state ${quoted(none.state)}` }
      context.verify(clause, stays, none.reply)
    }
  }
})
