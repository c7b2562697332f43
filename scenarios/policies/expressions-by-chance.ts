import { type Arbitraries, check, generated, summary } from 'plimsoll'
import { comparing, setOf } from './_comparisons.ts'
import { type Said, selected } from './_selected.ts'
import { agents, visits } from './_visits.ts'

const clause = 'policy.semantics.expression-selects-requests'

/** How strong what joins expressions binds, and what it says of two. */
const joins = {
  or: { strength: 1, of: (one: boolean, other: boolean) => one || other },
  xor: { strength: 2, of: (one: boolean, other: boolean) => one !== other },
  and: { strength: 3, of: (one: boolean, other: boolean) => one && other }
}

/** An expression with how strong what is in it hangs together; a comparison most of all. */
type Tree = { said: Said; strength: number }

const most = 4
const bracketed = ({ said: [text], strength }: Tree, least: number) =>
  strength < least ? `(${text})` : text

/** Stretches of numbers as a set of them is written, and what is in any of them. */
function anyStretches(any: Arbitraries) {
  const number = any.integer({ min: 0, max: 12 })
  return any.array(any.tuple(number, number), { minLength: 1, maxLength: 4 }).map((pairs): Said => {
    const all = pairs.map((pair) => [Math.min(...pair), Math.max(...pair)] as const)
    const isIn = (bytes: number) => all.some(([first, last]) => first <= bytes && bytes <= last)
    const written = all.map(([first, last]) => `${first}..${last}`).join(' ')
    return [`len(http.user_agent) in {${written}}`, ({ agent }) => isIn(agent.length)]
  })
}

/** A set of texts, of which some are met and some are not, in any order. */
function anyTexts(any: Arbitraries) {
  const text = any.constantFrom(...agents.filter((one) => /^\w+$/.test(one)), 'nobody', 'no one')
  return any.uniqueArray(text, { minLength: 1, maxLength: 8 }).map(setOf)
}

/** An expression made by chance of comparisons, with brackets only where it takes them. */
function anyTree(any: Arbitraries) {
  const leaf = any
    .oneof(
      { arbitrary: any.constantFrom(...comparing), weight: 4 },
      anyStretches(any),
      anyTexts(any)
    )
    .map((said): Tree => ({ said, strength: most }))
  return any.letrec<{ tree: Tree }>((tie) => ({
    tree: any.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      tie('tree').map((inner): Tree => {
        const { said } = inner
        const text = `not ${bracketed(inner, most)}`
        return { said: [text, (visit) => !said[1](visit)], strength: most }
      }),
      any
        .tuple(any.constantFrom('or', 'xor', 'and'), tie('tree'), tie('tree'))
        .map(([name, left, right]): Tree => {
          const { strength, of } = joins[name]
          const text = `${bracketed(left, strength)} ${name} ${bracketed(right, strength)}`
          return {
            said: [text, (visit) => of(left.said[1](visit), right.said[1](visit))],
            strength
          }
        })
    )
  })).tree
}

export default check({
  title: 'However comparisons are joined, a policy applies where all of it together is true',
  clauses: [clause],
  needs: ['management', 'edge', 'zone', 'page'],
  async run(context) {
    const found = await generated(context, {
      of: (any) => any.array(anyTree(any), { minLength: 1, maxLength: 40, size: 'max' }),
      budget: { quick: 2, full: 30 },
      async ask(trees) {
        const all = await selected(context, { said: trees.map(({ said }) => said), visits })
        const looks = (all ?? []).flatMap((one) => (one.isTaken ? one.looks : []))
        const [seen, reply] = summary(looks) ?? []
        if (typeof seen !== 'object' || !reply) return undefined
        return { asked: `${trees.length} expressions`, ...seen, reply }
      }
    })
    if (found) context.verify(clause, ...found)
  }
})
