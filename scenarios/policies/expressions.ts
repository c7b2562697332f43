import { check, type Look, summary } from 'plimsoll'
import { addresses, joining } from './_combinations.ts'
import { comparing } from './_comparisons.ts'
import { asking } from './_fields.ts'
import { calling } from './_functions.ts'
import { type Selected, selected } from './_selected.ts'
import { visits } from './_visits.ts'

const clause = 'policy.semantics.expression-selects-requests'

const { lower, upper, len, starts_with, ends_with, concat, to_string, ...others } = calling
const functions = [lower, upper, len, starts_with, ends_with, concat, to_string]

/** A target need not have more than the basics; whoever takes something of a group takes all. */
const groups = {
  basics: [...comparing, ...joining, ...functions.flat()],
  ...others,
  ...asking,
  addresses
}

const isRight = (one: Selected) => one.isTaken && one.looks.every(({ holds }) => holds)

/** The functions that an expression calls. */
const calledIn = (expression: string) =>
  [...expression.matchAll(/\b([a-z_0-9]+)\(/g)].map(([, name]) => name!)
/** Whether it is of a target's language, and not a defect of it alone. */
const isTakenOrDefect = ({ isTaken, reply }: Selected) => isTaken || reply.status >= 500

/** What became of a group, where the target knows it; which functions there are is not said. */
function looksAt(name: string, some: readonly Selected[], functions: ReadonlySet<string>): Look[] {
  const isKnown = name === 'basics' || some.some(isTakenOrDefect)
  // A client that is seen to come from elsewhere makes most of what is said of its address wrong.
  const isElsewhere = name === 'addresses' && some.filter(isRight).length < some.length / 2
  if (!isKnown || isElsewhere) return []
  return some.flatMap(({ isTaken, looks, expression, reply }): Look[] => {
    if (isTaken) return looks
    if (!calledIn(expression).every((called) => functions.has(called))) return []
    return [{ asked: expression, holds: false, saw: `refused (${reply.because})`, reply }]
  })
}

export default check({
  title: 'A policy applies to the requests that its expression says, whatever that asks of them',
  clauses: [clause],
  needs: ['management', 'edge', 'zone', 'page'],
  async run(context) {
    const all = await selected(context, { said: Object.values(groups).flat(), visits })
    if (all === undefined) return
    const known = all.filter(isTakenOrDefect).flatMap(({ expression }) => calledIn(expression))
    const functions = new Set(known)
    let at = 0
    const looks = Object.entries(groups).flatMap(([name, said]) => {
      const some = all.slice(at, at + said.length)
      at += said.length
      return looksAt(name, some, functions)
    })
    const found = summary(looks)
    if (found) context.verify(clause, ...found)
  }
})
