import { check, MB } from 'plimsoll'
import type { Command } from '../functions/_command.ts'
import { probeSource } from '../functions/_probing.ts'
import { sourceOf } from '../functions/_size.ts'
import { variables } from '../functions/_variables.ts'
import { versions } from '../functions/_version.ts'

const clauses = {
  variables: 'unspecified.implied.env-over-limit-error',
  size: 'unspecified.implied.size-over-limit-error',
  startup: 'unspecified.implied.startup-over-limit-error',
  counts: 'unspecified.implied.functions-over-limit-error'
}
const anything: Command = { do: 'count' }
/** Far more than any target starts with. */
const startupWork = 20_000_000

/** Noise that is the same in every run, so that what a target says of its size is the same too. */
function noise(): () => number {
  let state = 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

export default check({
  title: 'What a target says to a function that is too much for it',
  clauses: Object.values(clauses),
  needs: ['edge', 'account', 'deploy', 'trigger'],
  async run(context) {
    const { adapter, observe } = context
    const { attempt, ask, id } = await versions(context, 'free')
    const source = probeSource()
    const tries = [
      [clauses.variables, '200 variables', { env: variables(200, 'V') }],
      [clauses.variables, 'a value of 6 KB', { env: { V: 'v'.repeat(6_144) } }],
      [clauses.size, '1.5 MB compressed', { source: sourceOf(1.5 * MB, noise()) }],
      [clauses.startup, 'a long start', { source: `${source}\nburn({ work: ${startupWork} })` }]
    ] as const
    for (const [clause, what, change] of tries) {
      const { refused = 'taken', reply } = await attempt(change, anything)
      observe(clause, `${what}: ${refused}`, reply)
    }
    let because: string | undefined
    for (let minute = 0; minute < 60 && because === undefined; minute++) {
      const said = await adapter.trigger(id, `${minute} 0 1 1 *`)
      if (!said.accepted) because = said.because
    }
    observe(clauses.counts, `too many triggers: ${because ?? 'taken'}`, await ask(anything))
  }
})
