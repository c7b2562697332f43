import { type Context, check, type Judge, type Look, type Scenario, summary } from 'plimsoll'
import type { FunctionPlan } from './_capabilities.ts'
import { countUp } from './_count-up.ts'
import { answered } from './_mute.ts'

const source = "export default { fetch: () => new Response('here') }"

/** How many functions there may be, and how many of them are asked whether they are there. */
type Most = { clause: string; most: number; asked: number }

async function judgeOn(
  context: Context & Judge,
  { plan, clause, most, asked }: Most & { plan: FunctionPlan }
) {
  const { adapter, edge, verify } = context
  const [{ id: account }, other] = [await adapter.account(plan), await adapter.account(plan)]
  const deploy = (account: string, number: number) =>
    adapter.deploy({ account, name: `number-${number}`, source })
  // What another account has is none of this one's.
  await deploy(other.id, 0)
  const hosts: string[] = []
  await countUp(context, {
    clause,
    most,
    unit: `functions on plan ${plan}`,
    async once(number) {
      const said = await deploy(account, number)
      if (!said.accepted) return said.because
      hosts.push(said.host)
      return undefined
    },
    evidence: () => edge.as(hosts.at(-1) ?? '').get('/')
  })
  // One that takes the place of another is not one more.
  const again = await deploy(account, 0)
  const looks: Look[] = []
  for (const host of hosts.slice(0, asked)) {
    const reply = await answered(() => edge.as(host).get('/'))
    const fate = again.accepted ? '' : `, deployed anew it is refused: ${again.because}`
    const holds = reply.body === 'here' && again.accepted
    looks.push({ asked: host, holds, saw: reply.because + fate, reply })
  }
  const found = summary(looks)
  if (found) verify(clause, ...found)
}

/** A check of how many functions an account may have, on plans that are alike in that. */
export function functionsPerAccount(options: {
  kind: string
  plans: readonly FunctionPlan[]
  most: number
  /** How many of them are asked on each whether they are there: each has to be started. */
  asked: number
  tier?: Scenario['tier']
}): Scenario {
  const { kind, plans, most, asked, tier } = options
  const clause = `limits.account.functions.${kind}`
  return check({
    title: `An account on a ${kind} plan may have ${most} functions, and not more`,
    clauses: [clause],
    tier,
    // Where the edge serves others, a function that never answers is no outage.
    expectedReplies: ['timeout'],
    needs: ['edge', 'account', 'deploy'],
    async run(context) {
      for (const plan of plans) await judgeOn(context, { plan, clause, most, asked })
    }
  })
}
