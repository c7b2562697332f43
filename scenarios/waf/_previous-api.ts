import type { Client } from 'plimsoll'
import { items } from '../_reply.ts'

/** A package of the previous WAF, and one of its groups and rules, by their paths. */
export type Parts = { packages: string; package: string; groups: string; group: string } & {
  rules: string
  rule: string
}

/**
 * Where the previous WAF's management API has its parts. The document names packages, rule groups
 * and rules, and no paths; these are those the service is known for. Undefined where it has none.
 */
export async function partsOf(management: Client, zone: string): Promise<Parts | undefined> {
  const packages = `/zones/${zone}/firewall/waf/packages`
  const listed = items(await management.get(packages))
  for (const { id } of listed.reverse()) {
    const [groups, rules] = ['groups', 'rules'].map((part) => `${packages}/${id}/${part}`)
    const [[group], [rule]] = [
      items(await management.get(groups!)),
      items(await management.get(rules!))
    ]
    if (group === undefined || rule === undefined) continue
    return {
      ...{ packages, package: `${packages}/${id}` },
      ...{ groups: groups!, group: `${groups}/${group.id}` },
      ...{ rules: rules!, rule: `${rules}/${rule.id}` }
    }
  }
  return undefined
}

/** Turns off the groups of those packages whose rules act by themselves. */
export async function leaveOwasp(management: Client, { path }: { path: string }) {
  const packages = `${path}/firewall/waf/packages`
  for (const { id } of items(await management.get(packages))) {
    const [rule] = items(await management.get(`${packages}/${id}/rules`))
    // A rule whose score is counted is on or off, and does nothing of its own.
    if (!rule?.allowed_modes?.includes('simulate')) continue
    for (const group of items(await management.get(`${packages}/${id}/groups`)))
      await management.patch(`${packages}/${id}/groups/${group.id}`, { json: { mode: 'off' } })
  }
}
