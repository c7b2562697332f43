import type { Adapter, Target } from 'plimsoll'
import type { FunctionPlan } from '../_capabilities.ts'
import type { Place } from '../_probing.ts'

const isLoopback = (url: string) => /^(127\.|localhost$|\[::1\]$)/.test(new URL(url).hostname)

/** A host with a port where nothing is asked: what answers elsewhere is not the plan's probe. */
function insistOnPlace(name: string, host: string, url: string): void {
  const { protocol, hostname, port } = new URL(url)
  const said = URL.canParse(`${protocol}//${host}`) ? new URL(`${protocol}//${host}`) : undefined
  const isElsewhere = said?.hostname === hostname && /:\d+$/.test(host) && said.port !== port
  if (said !== undefined && !host.includes('/') && !isElsewhere) return
  throw new Error(
    `hosts.${name} is ${host}, and what is asked is ${url}: write where that plan answers, ` +
      `as endpoints["edge.${name}"] = { "url": "http://${host.replace(/^\w+:\/\//, '')}" }`
  )
}

/**
 * The adapter of a target of which nothing is known but where probes are deployed: its `hosts` name
 * them, as `probe.<plan>`, and under `harness` the host under which functions find this machine.
 * A plan that has another address than `edge` has an endpoint `edge.probe.<plan>`.
 */
export function adapter({ endpoints, hosts, credentials }: Target): Adapter {
  const harness =
    { ...hosts }.harness ??
    (isLoopback(endpoints.edge?.url ?? 'http://none') ? '127.0.0.1' : undefined)
  const probe = async ({ plan }: { plan: FunctionPlan }): Promise<Place> => {
    const endpoint = `edge.probe.${plan}`
    const own = endpoints[endpoint]
    const name = `probe.${plan}`
    const host = own && !(name in hosts) ? new URL(own.url).host : hosts[name]!
    insistOnPlace(name, host, own?.url ?? endpoints.edge!.url)
    const { socketModule = 'edge:sockets' } = { ...credentials }
    return { ...(own && { endpoint }), host, path: '/', socketModule, function: '', account: '' }
  }
  const reach = async (port: number) => `http://${harness}:${port}`
  return harness === undefined ? { probe } : { probe, reach }
}
