import { check } from 'plimsoll'
import { ampleCpuMs, patienceMs } from './_stage.ts'

const most = 1_000
const services = ['key-value', 'stateful-objects'] as const
type Made = { succeeded: number; errors: string[] }

/** Calls a service by its bindings in turn, for several keys or objects, as often as is said. */
const source = `
const ask = (binding, at) =>
  binding.get(binding.idFromName('object-' + (at % 5))).fetch('http://plimsoll.test/')
const calls = {
  'key-value': ['KV', 'OTHER', 'AGAIN'].map((name) => (env, at) => env[name].get('key-' + at)),
  'stateful-objects': ['ONE', 'TWO'].map((name) => (env, at) => ask(env[name], at))
}
class Here {
  fetch() {
    return new Response('here')
  }
}
export class One extends Here {}
export class Two extends Here {}
export default {
  async fetch(request, env) {
    const [, service, times] = new URL(request.url).pathname.split('/')
    const errors = new Set()
    let succeeded = 0
    for (let at = 0; at < times; at++) {
      const call = calls[service][at % calls[service].length]
      await call(env, at).then(() => succeeded++, ({ message }) => errors.add(message))
    }
    return Response.json({ succeeded, errors: [...errors] })
  }
}`

/** Another namespace and another class, and the same namespace once more. */
const bindings = {
  KV: { kind: 'kv', name: 'one' },
  OTHER: { kind: 'kv', name: 'two' },
  AGAIN: { kind: 'kv', name: 'one' },
  ONE: { kind: 'stateful', className: 'One' },
  TWO: { kind: 'stateful', className: 'Two' }
} as const

export default check({
  title: 'A function calls each internal service 1,000 times, by however many bindings',
  clauses: services.map((service) => `limits.subrequests.internal.${service}`),
  tier: 'full',
  needs: ['edge', 'account', 'deploy'],
  async run({ adapter, edge, verify }) {
    const { id: account } = await adapter.account('standard')
    const whole = { account, name: 'bindings', source, bindings }
    const wished = await adapter.deploy({ ...whole, cpuMs: ampleCpuMs })
    const said = wished.accepted ? wished : await adapter.deploy(whole)
    if (!said.accepted) return
    for (const service of services) {
      const ask = (times: number) =>
        edge.as(said.host).get(`/${service}/${times}`, { timeoutMs: 4 * patienceMs })
      // Of what cannot be called at all there may be any number.
      const few: Made | undefined = (await ask(6)).json
      const reply = await ask(most + 5)
      const made: Made | undefined = reply.json
      if (few?.succeeded !== 6 || made?.succeeded === undefined) continue
      const saw = `by several bindings in turn: ${made.succeeded} of ${most + 5}, ${made.errors}`
      const holds = made.succeeded === most
      verify(`limits.subrequests.internal.${service}`, { holds, saw }, reply)
    }
  }
})
