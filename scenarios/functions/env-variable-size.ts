import { accepted, improper, KB, KiB, limit, matrix, rejected, unclear } from 'plimsoll'
import { outcomeOf, series } from './_command.ts'
import { plansOf, saidTo } from './_variables.ts'
import { versions } from './_version.ts'

// What is as large as asked about is neither the first of them nor the last.
const text = (size: number) => ({ env: { A: 'a', V: 'e'.repeat(size), Z: 'z' } })
const secret = (size: number) => {
  const value = 'é'.repeat(size >> 1) + 'e'.repeat(size % 2)
  return { secrets: { B: 'b', W: value, Y: 'y' } }
}
/** What of them is given: text, and secrets in two bytes a letter. */
const kinds = {
  both: (size: number) => ({ ...text(size), ...secret(size) }),
  text: (size: number) => ({ ...text(size), ...secret(2) }),
  secret: (size: number) => ({ ...text(2), ...secret(size) })
}
const names = Object.keys(kinds) as (keyof typeof kinds)[]

export default limit({
  title: 'The value of an environment variable may have 5 KB, and not more',
  each: { free: 5 * KB, paid: 5 * KB },
  clause: (kind) => `limits.function.env-var-size.${kind}`,
  unit: 'bytes',
  needs: ['edge', 'account', 'deploy'],
  smallest: 2,
  repeats: 1,
  async probe(size, context) {
    const isTooLarge = size > 5 * KiB
    // What is refused starts nothing, so that each of them can be asked about.
    const asked = isTooLarge || context.tier !== 'quick' ? names : names.slice(0, 1)
    const ways = matrix({ plan: plansOf(context), kind: asked })
    return saidTo(ways, isTooLarge ? 'rejected' : 'accepted', async ({ plan, kind }) => {
      const { attempt } = await versions(context, plan)
      const given = kinds[kind](size)
      const both = ['V', 'W'].map((name) => ({ do: 'env', name }))
      const { refused, reply } = await attempt(given, series(...both))
      if (refused !== undefined) return rejected(reply, refused)
      const outcome = outcomeOf(reply)
      if (outcome === undefined)
        return unclear(reply, `the function did not answer: ${reply.because}`)
      const told = outcome.ok?.map(({ ok }: { ok: unknown }) => ok)
      return told?.[0] === given.env.V && told[1] === given.secrets.W
        ? accepted(reply, 'the function has all of it')
        : improper(reply, `deployed (${kind}) on plan ${plan}, and the function has another value`)
    })
  }
})
