import { once } from 'node:events'
import { get } from 'node:http'
import fc from 'fast-check'
import type { Announcement } from '../../../src/platform/platform.ts'
import { api, door } from '../api.ts'

type Policy = Record<string, unknown> & { id: string }

/** What a zone should be like after what was done to it. */
type Model = { isOn: boolean; policies: Policy[] }

/** A zone of a running platform, and how to ask about it. */
type Real = { call: ReturnType<typeof api>; shield: string; edge: string; host: string }

type Command = fc.AsyncCommand<Model, Real>

const differs = (what: string, seen: unknown, expected: unknown) => {
  const [one, other] = [JSON.stringify(seen), JSON.stringify(expected)]
  if (one !== other) throw new Error(`${what}: ${one} and not ${other}`)
}

/** Everything that can be seen of a zone is as the model says. */
async function compare(model: Model, { call, shield, edge, host }: Real) {
  const list = await call('GET', `${shield}/policies`)
  differs('the list', list.json.result, model.policies)
  const settings = await call('GET', shield)
  differs('enabled', settings.json.result.enabled, model.isOn)
  const [response] = await once(get(`${edge}/pay`, { headers: { host } }), 'response')
  response.resume()
  const count = (name: string) => (response.headersDistinct[name] ?? []).length
  const applied = (action: string) =>
    model.policies.filter(
      (policy) =>
        policy.action === action &&
        String(policy.enabled) === 'true' &&
        !String(policy.expression).includes('/other')
    ).length
  differs('allow', count('content-security-policy'), applied('allow'))
  const monitoring = model.isOn ? 1 : 0
  differs('log', count('content-security-policy-report-only'), applied('log') + monitoring)
}

const fields = {
  description: fc.string({ unit: 'grapheme', maxLength: 10 }),
  action: fc.constantFrom('log', 'allow'),
  expression: fc.constantFrom('true', 'ssl or not ssl', 'http.request.uri.path eq "/other"'),
  enabled: fc.constantFrom<boolean | string>(true, false, 'true', 'false'),
  value: fc.constantFrom("script-src 'self'", "script-src 'none'; connect-src a.test", 'img-src *')
}

function create(policy: object): Command {
  return {
    check: () => true,
    async run(model, { call, shield }) {
      const { json } = await call('POST', `${shield}/policies`, { body: policy })
      const { id, ...rest } = json.result
      differs('created', rest, policy)
      model.policies.push(json.result)
      if (model.policies.filter((one) => one.id === id).length > 1) throw new Error('an id twice')
    },
    toString: () => `create ${JSON.stringify(policy)}`
  }
}

/** Something done to one of the policies there are; which one, counted around. */
function onOne(
  name: string,
  place: number,
  run: (policy: Policy, parts: { model: Model; real: Real; path: string }) => Promise<void>
): Command {
  return {
    check: ({ policies }) => policies.length > 0,
    async run(model, real) {
      const policy = model.policies[place % model.policies.length]!
      await run(policy, { model, real, path: `${real.shield}/policies/${policy.id}` })
    },
    toString: () => `${name} of policy ${place}`
  }
}

const update = (place: number, change: object) =>
  onOne(`update ${JSON.stringify(change)}`, place, async (policy, { real, path }) => {
    const { status } = await real.call('PUT', path, { body: change })
    differs('status of the update', status, 200)
    Object.assign(policy, change)
  })

const remove = (place: number) =>
  onOne('deletion', place, async (policy, { model, real, path }) => {
    differs('status of the deletion', (await real.call('DELETE', path)).status, 200)
    model.policies = model.policies.filter((one) => one !== policy)
    differs('status afterwards', (await real.call('GET', path)).status, 404)
  })

const misuse = (place: number, body: object) =>
  onOne(`misuse ${JSON.stringify(body)}`, place, async (_, { real, path }) => {
    differs('status of the misuse', (await real.call('PUT', path, { body })).status, 400)
  })

function turn(isOn: boolean): Command {
  return {
    check: () => true,
    async run(model, { call, shield }) {
      await call('PUT', shield, { body: { enabled: isOn } })
      model.isOn = isOn
    },
    toString: () => `turn ${isOn ? 'on' : 'off'}`
  }
}

const place = fc.nat({ max: 5 })
const wrong = fc.constantFrom<object>(
  { action: 'block' },
  { enabled: 'yes' },
  { expression: 'ssl and' },
  { value: 'script-src a\r\nb: c' },
  { value: 7, description: 'not kept' }
)

const commands: fc.Arbitrary<Command>[] = [
  fc.record(fields).map(create),
  fc.tuple(place, fc.record(fields, { requiredKeys: [] })).map((given) => update(...given)),
  place.map(remove),
  fc.tuple(place, wrong).map((given) => misuse(...given)),
  fc.boolean().map(turn)
]

/** Whatever is done to the settings and policies of a zone, it is afterwards as it should be. */
export function sequences(said: Announcement) {
  const call = api(said)
  return fc.asyncProperty(
    fc.commands(commands, { maxCommands: 15, disableReplayLog: true }),
    async (sequence) => {
      const zone = { plan: 'free', origin: 'data:text/html,<p>' }
      const { id, host } = (await door(said)('POST', '/zones', zone)).json
      const real: Real = { call, shield: `/zones/${id}/page_shield`, edge: said.edge, host }
      const compared = [...sequence].map(
        (command): Command => ({
          check: (model) => command.check(model),
          async run(model, real) {
            await command.run(model, real)
            await compare(model, real)
          },
          toString: () => command.toString()
        })
      )
      await fc.asyncModelRun(() => ({ model: { isOn: false, policies: [] }, real }), compared)
    }
  )
}
