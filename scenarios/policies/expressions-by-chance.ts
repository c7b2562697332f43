import { type Arbitraries, check, generated, summary } from 'plimsoll'
import { comparing } from './_comparisons.ts'
import { type Said, selected } from './_selected.ts'
import { visits } from './_visits.ts'

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

/** An expression made by chance of comparisons, with brackets only where it takes them. */
function anyTree(any: Arbitraries) {
  const leaf = any.constantFrom(...comparing).map((said): Tree => ({ said, strength: most }))
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
