import type { Announcement } from '../../../src/platform/platform.ts'
import type { Sink } from '../../../src/servers/sink.ts'
import { bindings, source } from './program.ts'
import { type Ask, accepted } from './wire.ts'

/** What is set up in a platform's first life, and is there in all that follow. */
export type Stage = {
  zones: Announcement['zones']
  hosts: Announcement['hosts']
  account: string
  /** The host of the function that uses every service. */
  services: string
  /** Log-push jobs by key, and the hosts of functions by key. */
  jobs: Record<string, string>
  functions: Record<string, string>
}

/** How many keys of a kind all clients work on together. */
export const sharedKeys = 3

/** Names of keys that all clients work on. */
export const keys = Array.from({ length: sharedKeys }, (_, index) => `k${index}`)

/** Sets a platform up for everything that will be asked of it. */
export async function setUp(
  ask: Ask,
  { said, logs }: { said: Announcement; logs: Sink }
): Promise<Stage> {
  const { zones, hosts } = said
  const post = async (at: 'control' | 'management', path: string, body: object) =>
    accepted(await ask({ at, method: 'POST', path, body })).json()
  const { id: account } = await post('control', '/accounts', { plan: 'standard' })
  const deploy = async (name: string, more: object) =>
    (await post('control', `/accounts/${account}/functions`, { name, main: 'main.js', ...more }))
      .host as string
  const modules = { 'main.js': source }
  const services = await deploy('services', { modules, bindings, consumes: ['messages'] })

  const functions: Stage['functions'] = {}
  for (const key of ['functions', 'variables'])
    functions[key] = await deploy(key, deploymentOf(key, 'none'))

  const jobs: Stage['jobs'] = {}
  const jobsOf = `/zones/${zones.enterprise}/logpush/jobs`
  const idle = { dataset: 'http_requests', destination_conf: logs.inbox('idle').url }
  for (const key of keys)
    jobs[key] = String((await post('management', jobsOf, { ...idle, name: 'none' })).result.id)
  await post('management', `/zones/${zones.pro}/logpush/jobs`, {
    dataset: 'http_requests',
    destination_conf: logs.inbox('records').url,
    output_options: { field_names: ['ClientRequestURI'] },
    max_upload_records: 50,
    max_upload_interval_seconds: 0.05
  })
  return { zones, hosts, account, services, jobs, functions }
}

/** A function that answers a value: its module says it, or a variable does. */
export function deploymentOf(key: string, value: string) {
  const answer = (text: string) =>
    `export default { fetch: (_, { VALUE }) => new Response(${text}) }`
  return key === 'functions'
    ? { modules: { 'main.js': answer(`'${value} ' + VALUE`) }, env: { VALUE: value } }
    : { modules: { 'main.js': answer("VALUE + ' ' + VALUE") }, env: { VALUE: value } }
}
