import { check, type Reply } from 'plimsoll'
import { resultOf, wayTo } from './_way.ts'

const clause = 'versioning.rinkeby-deprecated'
const dayMs = 24 * 60 * 60 * 1_000
const deprecatedAt = Date.UTC(2023, 0, 30)

/** The date in a Deprecation header, in milliseconds since the epoch; undefined where none is. */
function toldDate({ headers }: Reply): number | undefined {
  const { deprecation = '' } = headers
  const date = deprecation.startsWith('@')
    ? Number(deprecation.slice(1)) * 1_000
    : Date.parse(deprecation)
  return Number.isNaN(date) ? undefined : date
}

export default check({
  title: 'Rinkeby is deprecated since 2023-01-30, as far as it is told, and sepolia is not',
  clauses: [clause],
  needs: ['gateway'],
  async run({ gateway, credentials, verify }) {
    const way = await wayTo('sepolia', { gateway, credentials })
    if (!way) return
    const [rinkeby, sepolia] = [
      await way.ask({ network: 'rinkeby' }),
      await way.ask({ network: 'sepolia' })
    ]
    const told = toldDate(rinkeby) ?? deprecatedAt
    const isEnding = ['deprecation', 'sunset'].some((name) => name in sepolia.headers)
    // Midnight comes at different times, and the document does not say whose it means.
    const isAgreed = Math.abs(told - deprecatedAt) <= dayMs
    const holds = isAgreed && !isEnding && resultOf(sepolia) !== undefined
    const date = rinkeby.headers.deprecation ?? 'nothing'
    const saw = `rinkeby tells ${date}, sepolia ${isEnding ? 'its own end' : 'nothing'}`
    verify(clause, { holds, saw }, rinkeby, sepolia)
  }
})
