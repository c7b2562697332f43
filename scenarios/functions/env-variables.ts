import { accepted, improper, limit, rejected, unclear } from 'plimsoll'
import { outcomeOf } from './_command.ts'
import { variables } from './_variables.ts'
import { versions } from './_version.ts'

/** Paid plans take turns with kinds of variables. */
const paid = { text: 'bundled', secret: 'standard' } as const

export default limit({
  title: 'A function may have as many environment variables as its plan allows, and not more',
  each: { free: 64, paid: 128 },
  clause: (kind) => `limits.function.env-vars.${kind}`,
  unit: 'variables',
  needs: ['edge', 'account', 'deploy'],
  repeats: 1,
  variants: ['text', 'secret'],
  async probe(count, context, variant) {
    const { attempt } = await versions(
      context,
      context.key === 'free' ? 'free' : paid[variant as keyof typeof paid]
    )
    const env = variables(count, 'V')
    const given = variant === 'text' ? { env } : { secrets: env }
    const { refused, reply } = await attempt(given, { do: 'env' })
    if (refused !== undefined) return rejected(reply, refused)
    const outcome = outcomeOf(reply)
    if (outcome === undefined)
      return unclear(reply, `the function did not answer: ${reply.because}`)
    const names: unknown[] = outcome.ok ?? []
    const there = names.filter((name) => String(name) in env).length
    return there === count
      ? accepted(reply, `the function has all ${count}`)
      : improper(reply, `deployed with ${count}, and the function has ${there}`)
  }
})
