import { type Arbitraries, check, generated, type Look, type Verified } from 'plimsoll'
import { isDefect, isServed } from '../_reply.ts'
import { type Patience, patience } from '../detections/_browser.ts'
import { hosts, type Meant, pages, paths } from './_pages.ts'

const clause = 'policy.semantics.expression-selects-requests'

const meant = (any: Arbitraries) =>
  any.record<Meant>({
    action: any.constantFrom('log', 'allow'),
    // Those that are off are in the minority, since they have no effect.
    enabled: any.constantFrom('true', 'true', 'true', 'false'),
    hosts: any.subarray([...hosts], { maxLength: 2 }),
    paths: any.subarray([...paths], { maxLength: 2 })
  })

/** Policies that are what others are not; each has to have its effect by itself. */
const alone: Meant[] = [
  { action: 'allow', enabled: 'true', hosts: [hosts[0]], paths: [] },
  { action: 'log', enabled: 'true', hosts: [hosts[0]], paths: [] },
  { action: 'allow', enabled: 'false', hosts: [], paths: [] },
  { action: 'allow', enabled: 'true', hosts: [], paths: ['/pay'] }
]

/**
 * Whether each policy that is there alone has its effect until it is deleted: without that, which
 * is the matter of other clauses, nothing can be told of several. What is amiss after a deletion is
 * told, since no other check looks for that.
 */
async function aloneOn(on: Pages, once: Patience): Promise<'told' | Verified | undefined> {
  for (const one of alone) {
    const path = await on.create(one)
    if (path === undefined || (await once(() => on.odd([one]), isPlain)).odd.length > 0)
      return undefined
    if (!isServed(await on.remove(path))) return undefined
    const { odd, reply } = await once(() => on.odd([]), isPlain)
    const saw = `after the only policy was deleted: ${odd[0]}`
    if (odd.length > 0) return [{ holds: false, saw }, reply]
  }
  return 'told'
}

/** So many pages that fail behind changes, and never else, fail because of them. */
const many = 5

/** Pages that fail when they are asked for first behind a change of the policies, and only then. */
function failedBehindChanges({ visits }: Pages): Verified | undefined {
  const failing = visits.filter(({ reply }) => isDefect(reply))
  const [first, ...others] = failing.map(({ reply }) => reply)
  if (!first || failing.length < many || !failing.every(({ isFirst }) => isFirst)) return undefined
  const changes = visits.filter(({ isFirst }) => isFirst).length
  const saw = `behind ${failing.length} of ${changes} changes a page fails, and then is served`
  return [{ holds: false, saw }, first, ...others]
}

/** Whether nothing is amiss. */
const isPlain = ({ odd }: { odd: string[] }) => odd.length === 0

type Pages = Awaited<ReturnType<typeof pages>>

export default check({
  title: 'Each policy of a zone has its effect beside all others, until it is changed or deleted',
  clauses: [clause],
  needs: ['management', 'edge', 'zone', 'page'],
  async run(context) {
    const on = await pages(context)
    if (!on.isServed()) return
    // How soon a policy is in force or gone is not said; that it is some time, is.
    const once = patience()
    const before = await aloneOn(on, once)
    if (before !== 'told') return before && context.verify(clause, ...before)
    const found = await generated(context, {
      of: (any) =>
        any.tuple(any.array(meant(any), { minLength: 2, maxLength: 4 }), meant(any), any.nat(3)),
      budget: { quick: 4, full: 40 },
      async ask([policies, other, at]): Promise<Look | undefined> {
        const made: string[] = []
        const now = [...policies]
        const changed = at % now.length
        const place = async (nth: number, one: Meant) => {
          now[nth] = one
          await on.replace(made[nth]!, one)
        }
        const steps: [name: string, take: () => Promise<unknown>][] = [
          ['were created', async () => {}],
          // What all of them are taken together is then what it was.
          [
            'had their sources exchanged',
            async () => {
              const [first, last] = [now[0]!, now.at(-1)!]
              await place(0, { ...first, hosts: last.hosts })
              await place(now.length - 1, { ...last, hosts: first.hosts })
            }
          ],
          ['had one replaced', () => place(changed, other)],
          [
            'had one deleted',
            async () => {
              now.splice(changed, 1)
              await on.remove(made.splice(changed, 1)[0]!)
            }
          ]
        ]
        try {
          for (const one of policies) {
            const path = await on.create(one)
            if (path === undefined) return undefined
            made.push(path)
          }
          let look: Look | undefined
          for (const [name, take] of steps) {
            await take()
            const { odd, reply } = await once(() => on.odd(now), isPlain)
            const saw = odd.length > 0 ? `after they ${name}: ${odd[0]}` : 'each has its effect'
            look = { asked: JSON.stringify([policies, other]), holds: odd.length === 0, saw, reply }
            if (odd.length > 0) return look
          }
          return look
        } finally {
          for (const path of made) await on.remove(path)
        }
      }
    })
    if (found) context.verify(clause, ...found)
    const failed = failedBehindChanges(on)
    if (failed) context.verify(clause, ...failed)
  }
})
