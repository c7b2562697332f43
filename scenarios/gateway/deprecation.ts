import { check, type Reply } from 'plimsoll'
import { isAboutService, resultOf, wayTo } from './_way.ts'

const clause = 'versioning.rinkeby-deprecated'
const hourMs = 60 * 60 * 1_000

/** When that day begins, from where it does so first to where it does so last. */
const dawn = { first: Date.UTC(2023, 0, 30) - 14 * hourMs, last: Date.UTC(2023, 0, 30, 12) }

/**
 * The date in a Deprecation header, in milliseconds since the epoch; undefined where none is. One
 * that is announced as a number (RFC 9745) and is none is no date at all.
 */
function toldDate({ headers }: Reply): number | undefined {
  const { deprecation = '' } = headers
  if (deprecation.startsWith('@')) return Number(deprecation.slice(1)) * 1_000
  const date = Date.parse(deprecation)
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
    if (isAboutService(sepolia)) return
    const told = toldDate(rinkeby) ?? dawn.first
    const isEnding = ['deprecation', 'sunset'].some((name) => name in sepolia.headers)
    // The document does not say whose midnight it means.
    const isAgreed = told >= dawn.first && told <= dawn.last
    const holds = isAgreed && !isEnding && resultOf(sepolia) !== undefined
    const date = rinkeby.headers.deprecation ?? 'nothing'
    const saw = `rinkeby tells ${date}, sepolia ${isEnding ? 'its own end' : 'nothing'}`
    verify(clause, { holds, saw }, rinkeby, sepolia)
  }
})
