import { check } from 'plimsoll'
import { isBesideThePoint, items, quoted } from '../_reply.ts'
import { calls } from './_stage.ts'

const earlier = 'waf-migration.eligibility.earlier-phase'
const phases = [
  `${earlier}-waf-disabled-or-managed-only`,
  `${earlier}-no-bypass-rules`,
  `${earlier}-no-uri-overrides`,
  'versioning.migration-began'
]
const provider = 'versioning.iac-3-35'
const rulesets = 'versioning.owasp-3x'

export default check({
  title: 'What the document tells of the past and of others, with what can be seen of it today',
  clauses: [...phases, provider, rulesets],
  // Dates, earlier phases and other programs: whatever a target does, it cannot contradict these.
  observes: [...phases, provider, rulesets],
  needs: ['management'],
  async run({ management, zones, observe }) {
    for (const [name, zone] of Object.entries(zones)) {
      const { check, path } = calls(management, zone)
      const reply = await check()
      if (isBesideThePoint(reply)) continue
      const { compatible } = reply.json?.result ?? {}
      for (const clause of phases)
        observe(clause, `${name}: compatible ${quoted(compatible)}`, reply)
      const previous = await management.get(`${path}/firewall/waf/packages`)
      observe(provider, `${name}: the API behind the resources: ${previous.because}`, previous)
      const list = await management.get(`${path}/rulesets`)
      const told = items(list).map(({ name, version }) => `${name} version ${version}`)
      observe(rulesets, `${name}: ${told.join(', ') || list.because}`, list)
    }
  }
})
