import { check } from 'plimsoll'
import { outcomeOf } from './_command.ts'
import { probeSource } from './_probing.ts'
import { variables } from './_variables.ts'
import { versions } from './_version.ts'

const combined = 'limits.function.env-vars.secret-and-text-combined'
const account = 'limits.function.env-vars.no-account-limit'
const most = 64
const functions = 12

export default check({
  title: 'Secrets and text variables count together, for each function by itself',
  clauses: [combined, account],
  needs: ['edge', 'account', 'deploy'],
  async run(context) {
    const { adapter, edge, verify } = context
    const { attempt, account: id, host } = await versions(context, 'free')
    const half = { env: variables(most / 2, 'T'), secrets: variables(most / 2, 'S') }
    const whole = await attempt(half, { do: 'env' })
    const more = { ...half, secrets: variables(most / 2 + 1, 'S') }
    const beyond = await attempt(more, { do: 'env' })
    const sizes = [`${most / 2} + ${most / 2}`, `${most / 2} + ${most / 2 + 1}`]
    const fates = [whole, beyond].map(({ refused }) => (refused ? `refused (${refused})` : 'taken'))
    const saw = sizes.map((size, index) => `${size} variables ${fates[index]}`).join(', ')
    const holds = whole.refused === undefined && beyond.refused !== undefined
    verify(combined, { holds, saw }, whole.reply, beyond.reply)

    const taken: string[] = []
    const source = probeSource()
    for (let number = 0; number < functions; number++) {
      const env = variables(most, 'V')
      const said = await adapter.deploy({ account: id, name: `full-${number}`, source, env })
      if (said.accepted) taken.push(said.host)
    }
    // Where none of them is taken there is still the first one, which has as many.
    const last = await edge.as(taken.at(-1) ?? host).post('/', { json: { do: 'env' } })
    const outcome = outcomeOf(last)
    if (outcome === undefined) return
    const names: unknown[] = outcome.ok ?? []
    const all = `${taken.length} of ${functions} functions with ${most} variables each were taken`
    const isWhole = taken.length === functions && names.length >= most
    verify(account, { holds: isWhole, saw: all }, last)
  }
})
