import { check, type Reply } from 'plimsoll'
import { draft, withPolicy } from '../_policy.ts'
import { isItem, quoted } from '../_reply.ts'
import { largest } from '../_zone.ts'

/** The names in an envelope and in its result. */
function shape(reply: Reply): string {
  if (!isItem(reply.json)) return `${reply.because}, ${quoted(reply.body)}`
  const [result] = [reply.json.result].flat()
  const names = isItem(result) ? Object.keys(result).sort().join(', ') : quoted(result)
  return `${reply.because}, ${Object.keys(reply.json).sort().join(', ')}; in the result: ${names}`
}

export default check({
  title: 'What a list, an update and a deletion of policies answer',
  clauses: [
    'unspecified.policy.list-body',
    'unspecified.policy.update-response',
    'unspecified.policy.delete-response'
  ],
  needs: ['management'],
  async run({ management, zones, random, observe }) {
    const zone = largest(zones)
    const policy = draft(random)
    await withPolicy({ management, zone, policy }, async ({ path }) => {
      const list = await management.get(`/zones/${zone}/page_shield/policies`)
      observe('unspecified.policy.list-body', shape(list), list)
      const update = await management.put(path, { json: policy })
      observe('unspecified.policy.update-response', shape(update), update)
      const deletion = await management.delete(path)
      observe('unspecified.policy.delete-response', shape(deletion), deletion)
    })
  }
})
