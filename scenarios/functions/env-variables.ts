import { accepted, improper, limit, matrix, rejected, unclear } from 'plimsoll'
import { outcomeOf } from './_command.ts'
import { plansOf, saidTo, variables } from './_variables.ts'
import { versions } from './_version.ts'

const most = { free: 64, paid: 128 }

/** Text and secrets by half, or one of them alone. */
const mixed = (count: number) => ({
  env: variables(Math.ceil(count / 2), 'T'),
  secrets: variables(Math.floor(count / 2), 'S')
})
const mixtures = {
  both: mixed,
  text: (count: number) => ({ env: variables(count, 'V'), secrets: {} }),
  secrets: (count: number) => ({ env: {}, secrets: variables(count, 'V') })
}
const names = Object.keys(mixtures) as (keyof typeof mixtures)[]

export default limit({
  title: 'A function may have as many environment variables as its plan allows, and not more',
  each: most,
  clause: (kind) => `limits.function.env-vars.${kind}`,
  unit: 'variables',
  needs: ['edge', 'account', 'deploy'],
  repeats: 1,
  async probe(count, context) {
    const { key, tier } = context
    const isTooMany = count > most[key as keyof typeof most]
    // What is refused starts nothing, so that all of it can be asked about.
    const asked = isTooMany || tier !== 'quick' ? names : names.slice(0, 1)
    const ways = matrix({ plan: plansOf(context), mixture: asked })
    return saidTo(ways, isTooMany ? 'rejected' : 'accepted', async ({ plan, mixture }) => {
      const { attempt } = await versions(context, plan)
      const given = mixtures[mixture](count)
      const { refused, reply } = await attempt(given, { do: 'env' })
      if (refused !== undefined) return rejected(reply, refused)
      const outcome = outcomeOf(reply)
      if (outcome === undefined)
        return unclear(reply, `the function did not answer: ${reply.because}`)
      const all = { ...given.env, ...given.secrets }
      const there = (outcome.ok ?? []).filter((name: unknown) => String(name) in all).length
      return there === count
        ? accepted(reply, `the function has all ${count}`)
        : improper(
            reply,
            `deployed with ${count} (${mixture}) on plan ${plan}, and the function has ${there}`
          )
    })
  }
})
