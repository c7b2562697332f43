import { setTimeout as pause } from 'node:timers/promises'
import { type Client, check, type Look, summary } from 'plimsoll'
import { graceMs, patienceMs } from './_stage.ts'

const clause = 'subrequests.service-bindings'
/** A function that says who it is, or has who is behind its binding say so. */
const source = `export default {
  async fetch(request, env) {
    if (env.SERVICE === undefined) return new Response(env.NAME)
    const answer = await env.SERVICE.fetch('http://service.internal/')
    return new Response(await answer.text())
  }
}`

/** Whether somebody answers, or does before long: how soon what is deployed is met is not said. */
async function answers(client: Client, name: string, asked: string): Promise<Look> {
  const until = performance.now() + patienceMs
  for (;;) {
    const reply = await client.get('/')
    const holds = reply.status === 200 && reply.body === name
    const saw = holds ? name : `${reply.because}, and not ${name}`
    if (holds || performance.now() > until) return { asked, holds, saw, reply }
    await pause(graceMs)
  }
}

export default check({
  title: 'A service binding leads to the function that has its name in the account by now',
  clauses: [clause],
  needs: ['edge', 'account', 'deploy'],
  async run(context) {
    const { adapter, edge, verify } = context
    const [{ id: account }, { id: foreign }] = [
      await adapter.account('standard'),
      await adapter.account('standard')
    ]
    const deploy = async (account: string, name: string, says: string, behind?: string) => {
      const service = { SERVICE: { kind: 'service', function: behind ?? '' } } as const
      const bindings = behind === undefined ? {} : service
      const said = await adapter.deploy({ account, name, source, bindings, env: { NAME: says } })
      if (!said.accepted) throw new Error(`${name} was refused: ${said.because}`)
      return edge.as(said.host)
    }
    await deploy(account, 'other', 'other')
    const caller = await deploy(account, 'caller', 'caller', 'other')
    await deploy(foreign, 'other', 'of another account')
    const looks = [await answers(caller, 'other', 'at first')]
    await deploy(account, 'other', 'other, anew')
    looks.push(await answers(caller, 'other, anew', 'with the other one deployed anew'))
    if (context.tier !== 'quick') {
      await deploy(account, 'third', 'third')
      await deploy(account, 'caller', 'caller', 'third')
      looks.push(await answers(caller, 'third', 'deployed anew with another binding'))
    }
    const seen = summary(looks)
    if (seen) verify(clause, ...seen)
  }
})
