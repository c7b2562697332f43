import { type Context, check } from 'plimsoll'
import { isServed, quoted } from '../_reply.ts'
import { configurationIn, stage } from './_stage.ts'

const values = {
  'waf-migration.param-waf-migration-pending-synonym': ['pending', '1'],
  'waf-migration.param-waf-migration-validation-synonym': ['validation', '2']
} satisfies Record<string, [word: string, digit: string]>

/** What an update with this value comes to in a fresh zone. */
async function outcome(context: Context, value: string) {
  const on = await stage(context, 'enterprise')
  const configuration = configurationIn(await on.config())
  if (configuration === undefined) return undefined
  const reply = await on.migrate(value, configuration)
  return { reply, isServed: isServed(reply), state: await on.state() }
}

export default check({
  title: 'For waf_migration 1 is another word for pending, and 2 for validation',
  clauses: Object.keys(values),
  needs: ['management', 'disposableZone', 'migrated'],
  async run(context) {
    for (const [clause, [word, digit]] of Object.entries(values)) {
      const [one, other] = [await outcome(context, word), await outcome(context, digit)]
      // Whether the word works is a matter of the transition it stands for.
      if (!one?.isServed || other === undefined) continue
      const holds = other.isServed && other.state === one.state
      const saw = `${word} leads to ${quoted(one.state)}, ${digit} to ${quoted(other.state)}`
      context.verify(clause, { holds, saw }, one.reply, other.reply)
      // A value that is neither asks for nothing.
      const none = await outcome(context, `${digit}0`)
      if (none === undefined) continue
      const stays = { holds: none.state === 'start', saw: `${digit}0: state ${quoted(none.state)}` }
      context.verify(clause, stays, none.reply)
    }
  }
})
