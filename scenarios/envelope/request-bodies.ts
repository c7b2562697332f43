import { check, type Look, summary } from 'plimsoll'
import { carried, carrying, isAboutCarriage } from '../_carried.ts'
import { freshId } from '../_id.ts'
import { nameOf, type Operation, pageProtectionWrites } from '../_operations.ts'
import { draft, withPolicy } from '../_policy.ts'
import { isBesideThePoint, isServed, item, quoted } from '../_reply.ts'
import { exampleJob } from '../log-push/_stage.ts'
import { calls, entrypoint } from '../waf/_stage.ts'

const clause = 'envelope.all-bodies-json'

export default check({
  title: 'What is asked for in JSON is done, however HTTP carries that',
  clauses: [clause],
  needs: ['management', 'zone'],
  async run({ management, adapter, random, verify }) {
    const zone = (await adapter.zone('enterprise')).id
    const policy = draft(random)
    const looks: Look[] = []
    const ask = async ({ method, path, json }: Operation, how = {}) => {
      const reply = await management[method](`/zones/${zone}/${path}`, carrying(json, how))
      const { id } = item(reply)
      // How many policies and jobs there may be is not said.
      if (method === 'post' && id !== undefined)
        await management.delete(`/zones/${zone}/${path}/${encodeURIComponent(`${id}`)}`)
      return reply
    }
    // Once it is migrated the rulesets API manages its WAF, as often as anybody likes.
    const waf = calls(management, zone)
    const configuration = item(await waf.config())
    await waf.update('pending', configuration)
    await withPolicy({ management, zone, policy }, async ({ id }) => {
      const none = freshId(random)
      const ids = { script: none, connection: none, cookie: none, policy: `${id}` }
      const operations: Operation[] = [
        ...pageProtectionWrites(ids, policy).filter(({ method }) => method !== 'delete'),
        { method: 'post', path: 'logpush/jobs', json: exampleJob },
        { method: 'put', path: entrypoint, json: configuration }
      ]
      for (const operation of operations) {
        if (!isServed(await ask(operation))) continue
        for (const how of carried) {
          const reply = await ask(operation, how)
          if (isAboutCarriage(reply) || isBesideThePoint(reply)) continue
          // A zone may have room for no more, however it is asked.
          if (!isServed(reply) && !isServed(await ask(operation))) break
          const asked = `${nameOf(operation)} with ${quoted(how)}`
          looks.push({ asked, holds: isServed(reply), saw: reply.because, reply })
        }
      }
    })
    const found = summary(looks)
    if (found) verify(clause, ...found)
  }
})
