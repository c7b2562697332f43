import { type Context, check, type Judge, MB, pairwise } from 'plimsoll'
import type { Deployment, FunctionPlan } from './_capabilities.ts'
import { paidPlans } from './_plan.ts'
import { probeSource } from './_probing.ts'
import { dataOf, modulesOf, sourceOf } from './_size.ts'
import { isInForce, versions } from './_version.ts'

const plans = { free: [['free'], MB], paid: [paidPlans, 10 * MB] } as const

type Shape = readonly [where: string, made: typeof sourceOf | typeof modulesOf | typeof dataOf]

const texts: readonly Shape[] = [
  ['', sourceOf],
  [', in two modules', modulesOf]
]
const inBytes: Shape = [', in a module of bytes', dataOf]

/** Whether the target knows modules of bytes, of which the document says nothing. */
async function takesData(context: Context, plan: FunctionPlan): Promise<boolean> {
  const { attempt } = await versions(context, plan)
  const source = dataOf(0.1 * MB, context.random)
  const trial = await attempt({ source, env: { SIZE: 'data' } }, { do: 'env', name: 'SIZE' })
  return isInForce(trial, 'data') === true
}

/** Deploys a source and says whether it was taken and runs. */
async function judge(
  context: Context & Judge,
  asked: {
    kind: string
    plan: FunctionPlan
    source: Deployment['source']
    isAllowed: boolean
    what: string
  }
) {
  const { kind, plan, source, isAllowed, what } = asked
  const { attempt } = await versions(context, plan)
  const trial = await attempt({ source, env: { SIZE: what } }, { do: 'env', name: 'SIZE' })
  const { refused, reply } = trial
  const runs = isInForce(trial, what)
  if (runs === undefined) return
  const fate = runs ? 'taken' : `refused: ${refused ?? 'the function does not answer'}`
  const clause = `limits.function.size.${kind}`
  const saw = `${what}, on plan ${plan}: ${fate}`
  context.verify(clause, { holds: runs === isAllowed, saw }, reply)
}

export default check({
  title: 'A function may be as large as its plan allows once it is compressed, and not larger',
  clauses: Object.keys(plans).map((kind) => `limits.function.size.${kind}`),
  tier: 'full',
  needs: ['edge', 'account', 'deploy'],
  async run(context) {
    for (const [kind, [those, bytes]] of Object.entries(plans)) {
      const shape = (await takesData(context, those[0]!)) ? [...texts, inBytes] : texts
      // Whether MB are decimal or binary, and how well the target compresses, is left to it.
      const dimensions = { plan: those, factor: [0.95, 1.1], shape }
      for (const { plan, factor, shape } of pairwise(dimensions, context)) {
        const [where, made] = shape
        const source = made(factor * bytes, context.random)
        const what = `${(factor * bytes) / MB} MB compressed${where}`
        await judge(context, { kind, plan, source, isAllowed: factor < 1, what })
      }
      const source = `${probeSource()}\n// ${'x'.repeat(1.5 * bytes)}\n`
      const what = `${(1.5 * bytes) / MB} MB that compress to almost nothing`
      for (const plan of those) await judge(context, { kind, plan, source, isAllowed: true, what })
    }
  }
})
