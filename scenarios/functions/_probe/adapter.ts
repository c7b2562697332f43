import type { Adapter, Target } from 'plimsoll'
import type { FunctionPlan } from '../_capabilities.ts'
import type { Place } from '../_probing.ts'

const isLoopback = (url: string) => /^(127\.|localhost$|\[::1\]$)/.test(new URL(url).hostname)

/**
 * The adapter of a target of which nothing is known but where probes are deployed: its `hosts` name
 * them, as `probe.<plan>`, and under `harness` the host under which functions find this machine.
 */
export function adapter({ endpoints, hosts, credentials }: Target): Adapter {
  const harness =
    { ...hosts }.harness ??
    (isLoopback(endpoints.edge?.url ?? 'http://none') ? '127.0.0.1' : undefined)
  const probe = async ({ plan }: { plan: FunctionPlan }): Promise<Place> => {
    const host = hosts[`probe.${plan}`]!
    const { socketModule = 'edge:sockets' } = { ...credentials }
    return { host, path: '/', socketModule, function: '', account: '' }
  }
  const reach = async (port: number) => `http://${harness}:${port}`
  return harness === undefined ? { probe } : { probe, reach }
}
