import { once } from 'node:events'
import { get } from 'node:http'
import type { Announcement } from '../../../src/platform/platform.ts'
import { api, door } from '../api.ts'
import type { Act, Model } from './model.ts'

/** A zone of a running platform whose previous WAF is turned on. */
export type Zone = Awaited<ReturnType<typeof madeZone>>

const attack = new URLSearchParams({ q: '<script>alert(1)</script>' })
const entrypoint = 'rulesets/phases/http_request_firewall_managed/entrypoint'

/** Makes a zone that is as the model says a fresh one is. */
export async function madeZone(
  said: Announcement,
  { plan, completionMs }: Pick<Model, 'plan' | 'completionMs'>
) {
  const [call, control] = [api(said), door(said)]
  const origin = 'data:text/html,<p>'
  const { id, host } = (await control('POST', '/zones', { plan, origin })).json
  const path = `/zones/${id}`
  await control('PATCH', `${path}/waf-migration`, { completionMs })
  await control('PATCH', `${path}/previous-waf`, { enabled: true })
  const config = (await call('GET', `${path}/waf_migration/config?phase_two=1`)).json.result
  const bodies = {
    active: config,
    idle: { ...config, rules: config.rules.map((rule: object) => ({ ...rule, enabled: false })) },
    empty: { ...config, rules: [] },
    malformed: { ...config, rules: [{ action: 'execute', expression: 'true' }] }
  }

  async function statusOf(act: Act): Promise<number> {
    switch (act.kind) {
      case 'wait':
        return (await control('POST', '/clock', { forwardMs: act.ms })).status
      case 'firewall rules': {
        const rule = { expression: 'http.request.uri.path eq "/up"', action: 'bypass' }
        const firewallRules = Array.from({ length: act.count }, () => rule)
        return (await control('PATCH', `${path}/previous-waf`, { firewallRules })).status
      }
      case 'add override': {
        const body = { urls: ['*/legacy/*'] }
        return (await call('POST', `${path}/firewall/waf/overrides`, { body })).status
      }
      case 'delete override': {
        const { json } = await call('GET', `${path}/firewall/waf/overrides`)
        const found = json.result?.[0]?.id ?? 'abc'
        return (await call('DELETE', `${path}/firewall/waf/overrides/${found}`)).status
      }
      case 'update': {
        const parameter = act.value === undefined ? '' : `?waf_migration=${act.value}&phase_two=1`
        const body = bodies[act.body]
        return (await call('PUT', `${path}/${entrypoint}${parameter}`, { body })).status
      }
    }
  }

  return {
    path,
    statusOf,
    at: (place: Announcement) => seen(place, { path, host }),
    ...seen(said, { path, host })
  }
}

/** What can be seen of a zone, wherever its platform is by now. */
function seen(said: Announcement, { path, host }: { path: string; host: string }) {
  const call = api(said)
  return {
    /** What the status call tells. */
    status: async () => (await call('GET', `${path}/waf_migration/status`)).json.result,
    isCompatible: async () =>
      (await call('GET', `${path}/waf_migration/check?phase_two=1`)).json.result.compatible,
    /** Status of a call to the previous WAF's API. */
    previousApi: async () => (await call('GET', `${path}/firewall/waf/packages`)).status,
    async isProtected(): Promise<boolean> {
      const asked = get(`${said.edge}/?${attack}`, { headers: { host } })
      const [response] = await once(asked, 'response')
      response.resume()
      return response.statusCode === 403
    }
  }
}
