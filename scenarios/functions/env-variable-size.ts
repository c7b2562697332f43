import { accepted, improper, KB, limit, rejected, unclear } from 'plimsoll'
import { outcomeOf } from './_command.ts'
import { versions } from './_version.ts'

export default limit({
  title: 'The value of an environment variable may have 5 KB, and not more',
  each: { free: 5 * KB, paid: 5 * KB },
  clause: (kind) => `limits.function.env-var-size.${kind}`,
  unit: 'bytes',
  needs: ['edge', 'account', 'deploy'],
  smallest: 2,
  repeats: 1,
  variants: ['text', 'secret in two bytes a character'],
  async probe(size, context, variant) {
    const isSecret = variant.startsWith('secret')
    // Paid plans take turns with kinds of variables.
    const paid = isSecret ? 'unbound' : 'bundled'
    const { attempt } = await versions(context, context.key === 'free' ? 'free' : paid)
    const value = isSecret ? 'é'.repeat(size >> 1) + 'e'.repeat(size % 2) : 'e'.repeat(size)
    // Neither the first of them nor the last.
    const all = { A: 'a', V: value, Z: 'z' }
    const given = isSecret ? { secrets: all } : { env: all }
    const { refused, reply } = await attempt(given, { do: 'env', name: 'V' })
    if (refused !== undefined) return rejected(reply, refused)
    const outcome = outcomeOf(reply)
    if (outcome === undefined)
      return unclear(reply, `the function did not answer: ${reply.because}`)
    return outcome.ok === value
      ? accepted(reply, 'the function has all of it')
      : improper(reply, 'deployed, and the function has another value')
  }
})
