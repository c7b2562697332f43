// What looking at requests costs the edge: processor time of the platform for each request to a
// zone with the previous WAF, with the new one, and with both, beside a zone whose WAF is off.
// `node waf.ts [rounds]`
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { resolve } from 'node:path'
import type { Announcement } from '../../src/platform/platform.ts'
import { keyTo } from '../platform/api.ts'
import { numbersOf } from '../usage.ts'
import { machine } from './machine.ts'
import { spreadOf, spreadText } from './spread.ts'

const [rounds] = numbersOf(import.meta.url, [15])
const requests = 1_000
const connections = 8

const child = fork(resolve(import.meta.dirname, 'waf-program.ts'))
const [{ announcement: said }] = (await once(child, 'message')) as [{ announcement: Announcement }]

async function ask(url: string, { method = 'GET', body }: { method?: string; body?: object } = {}) {
  const response = await fetch(url, {
    method,
    headers: url.startsWith(said.control)
      ? keyTo(said)
      : { authorization: `Bearer ${said.token}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body)
  })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return (await response.json()) as any
}

/** The host of a fresh zone on which the WAFs are that an update with this value leads to. */
async function hostWith(update: 'off' | 'start' | 'pending' | 'validation'): Promise<string> {
  const body = { plan: 'enterprise', origin: 'data:text/html,<p>' }
  const { id, host } = await ask(`${said.control}/zones`, { method: 'POST', body })
  if (update === 'off') return host
  const patch = { method: 'PATCH', body: { enabled: true } }
  await ask(`${said.control}/zones/${id}/previous-waf`, patch)
  if (update === 'start') return host
  const zone = `${said.management}/zones/${id}`
  const { result } = await ask(`${zone}/waf_migration/config?phase_two=1`)
  const phase = `${zone}/rulesets/phases/http_request_firewall_managed/entrypoint`
  await ask(`${phase}?waf_migration=${update}&phase_two=1`, { method: 'PUT', body: result })
  return host
}

const agent = new Agent({ keepAlive: true, maxSockets: connections })
const headers = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  cookie: 'session=0123456789abcdef0123456789abcdef; theme=dark',
  referer: 'https://www.example.test/catalogue/shoes?page=3'
}

/** One innocent request, answered. */
async function visit(host: string) {
  const url = `${said.edge}/catalogue/shoes?page=4&sort=price&colour=dark+red`
  const [response] = await once(get(url, { agent, headers: { ...headers, host } }), 'response')
  if (response.statusCode !== 200) throw new Error(`${host}: ${response.statusCode}`)
  response.resume()
  await once(response, 'end')
}

async function cpuUs(): Promise<number> {
  child.send('how much?')
  return (await once(child, 'message'))[0].cpuUs
}

/** Processor time that the platform takes for one request, in microseconds. */
async function costUs(host: string): Promise<number> {
  const before = await cpuUs()
  const lane = async () => {
    for (let count = 0; count < requests / connections; count++) await visit(host)
  }
  await Promise.all(Array.from({ length: connections }, lane))
  return ((await cpuUs()) - before) / requests
}

const hosts = {
  none: await hostWith('off'),
  previous: await hostWith('start'),
  new: await hostWith('pending'),
  both: await hostWith('validation')
}
type Name = keyof typeof hosts
const names = Object.keys(hosts) as Name[]
const costs: Record<Name, number[]> = { none: [], previous: [], new: [], both: [] }
for (const name of names) await costUs(hosts[name])
for (let round = 0; round < rounds; round++) {
  // Each begins a round as often as the others, so that drift is shared.
  const turned = names.map((_, index) => names[(index + round) % names.length]!)
  for (const name of turned) costs[name].push(await costUs(hosts[name]))
}
console.log(machine())
console.log(`\n${rounds} rounds of ${requests} requests: median (lowest … highest)`)
console.log('WAFs       µs of processor time a request   ratio to none')
for (const name of names) {
  const ratios = costs[name].map((cost, round) => cost / costs.none[round]!)
  const cost = spreadText(spreadOf(costs[name]), 0)
  console.log(name.padEnd(11) + cost.padEnd(33) + spreadText(spreadOf(ratios), 2))
}
agent.destroy()
child.kill()
