import { code, quoted } from './code.ts'

/** A limit on times, or on how much a connection is used, that was found. */
export type FoundTime = {
  /** As `plimsoll probe` names it. */
  limit: string
  /** Of what ends by waiting: each way that ends, after how many ms, and how much later it may. */
  ways?: readonly { variant: string; ms: number; lateMs: number; aboveMs?: number }[]
  /** Of the others: requests a connection takes, or how many ms old it gets. */
  value?: number
  /** What was found, in words. */
  said: string
  /** What is said at the end where even an ordinary request meets it; null for nothing. */
  status?: number | null
}

/** The clause of a time that was found. */
export function timeClause({ limit, said }: FoundTime) {
  const id = `found.${limit}`
  return { id, kind: 'rule', documented: said, notes: 'observed, not documented' }
}

/** A scenario that verifies from then on what was found of times. */
export function timeFile(
  { limit, ways, value, said, status }: FoundTime,
  { method, path }: { method: string; path: string }
): string {
  const exactly = ways?.map(({ variant, ms, lateMs, aboveMs }) => {
    return { variant, ms, ...(lateMs > 0 && { lateMs }), ...(aboveMs && { aboveMs }) }
  })
  const expected =
    status === undefined ? '' : `  expectedReplies: [${status ?? quoted('closed')}],\n`
  const numbers = { limit, method, path, ...(exactly && { ways: exactly }) }
  return `import { check, judgeTime, type TimeAsked } from 'plimsoll'

/** What was found: times in ms. */
const asked: Omit<TimeAsked, 'clause' | 'of'> = ${code({ ...numbers, ...(value && { value }) })}

export default check({
  title: ${quoted(`${limit}: ${said}`)},
  clauses: [${quoted(`found.${limit}`)}],
  alone: ['everything'],
${expected}  needs: ['service'],
  async run(context) {
    const clause = ${quoted(`found.${limit}`)}
    await judgeTime({ clause, of: context.service, ...asked }, context)
  }
})
`
}
