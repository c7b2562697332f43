import { type Context, check, type Reply } from 'plimsoll'
import { isItem, quoted } from '../_reply.ts'
import { type Configuration, configurationIn, type Stage, stage } from '../waf/_stage.ts'

const names = 'unspecified.waf.migration-state-names'
const complete = 'unspecified.waf.state-after-completion'
const onPro = 'unspecified.implied.validation-on-pro-response'
const again = 'unspecified.implied.update-after-complete'
const free = 'unspecified.implied.free-zone-migration'

/** A fresh zone, and what it is offered. */
async function offered(context: Context, plan: string) {
  const on = await stage(context, plan)
  return { on, configuration: configurationIn(await on.config()) ?? { name: '', rules: [] } }
}

/** What came of an update, in words: status, code of the error, and the state then. */
async function outcome(reply: Reply, on: Stage): Promise<string> {
  const codes = [reply.json?.errors].flat().flatMap((error) => (isItem(error) ? [error.code] : []))
  const code = codes.length > 0 ? ` (code ${codes.join(', ')})` : ''
  return `${reply.because}${code}, state ${quoted(await on.state())}`
}

type Offer = { on: Stage; configuration: Configuration }

/** Sends updates one after another, and tells the outcome of each. */
async function told({ on, configuration }: Offer, values: string[]): Promise<[string, Reply][]> {
  const outcomes: [string, Reply][] = []
  for (const value of values) {
    const reply = await on.migrate(value, configuration)
    outcomes.push([`${value}: ${await outcome(reply, on)}`, reply])
  }
  return outcomes
}

export default check({
  title: 'What the states of a migration are called, and what comes of updates not foreseen',
  clauses: [names, complete, onPro, again, free],
  needs: ['management', 'disposableZone', 'migrated'],
  async run(context) {
    const { observe } = context
    const enterprise = await offered(context, 'enterprise')
    const steps = await told(enterprise, ['validation', 'pending'])
    for (const [seen, reply] of steps) observe(names, seen, reply)
    const [, completion] = steps.at(-1)!
    observe(complete, `state ${quoted(await enterprise.on.state())}`, completion)
    for (const [seen, reply] of await told(enterprise, ['pending', 'validation']))
      observe(again, seen, reply)
    for (const plan of ['pro', 'business'])
      for (const [seen, reply] of await told(await offered(context, plan), ['validation']))
        observe(onPro, `${plan}: ${seen}`, reply)
    for (const [seen, reply] of await told(await offered(context, 'free'), ['pending']))
      observe(free, seen, reply)
  }
})
