import { check, type Reply } from 'plimsoll'
import { byOutcome } from '../_outcomes.ts'
import { isServed, items, quoted } from '../_reply.ts'
import { largest } from '../_zone.ts'

/** Parameters that lists elsewhere know, each with a value that would show. */
const parameters = {
  direction: 'desc',
  order_by: 'last_seen_at',
  page: 'all',
  host: 'no.such.test',
  urls: 'no-such-url',
  exclude_urls: 'third-party',
  exclude_cdn_cgi: 'false',
  prioritize_malicious: 'true',
  no_such_parameter: '1'
}

const ids = (reply: Reply) => quoted(items(reply).map((item) => item.id))

export default check({
  title: 'What lists make of parameters beyond those of the table',
  clauses: ['unspecified.list.more-params'],
  needs: ['management'],
  async run({ management, zones, observe }) {
    for (const kind of ['scripts', 'connections', 'cookies']) {
      const path = `/zones/${largest(zones)}/page_shield/${kind}`
      const plain = await management.get(path)
      const asked = Object.entries(parameters)
      const replies = await Promise.all(
        asked.map(([name, value]) => management.get(path, { query: { [name]: value } }))
      )
      const effect = (reply: Reply) => {
        if (!isServed(reply)) return reply.because
        return ids(reply) === ids(plain) ? 'no effect' : 'another list'
      }
      const seen = byOutcome(
        asked.map(([name, value], index) => {
          return { asked: `${name}=${value}`, came: effect(replies[index]!) }
        })
      )
      observe('unspecified.list.more-params', `${kind}: ${seen}`, plain, ...replies)
    }
  }
})
