import { check } from 'plimsoll'
import { byOutcome } from '../_outcomes.ts'

const deploying = 'unspecified.implied.deploy-interface'
const traffic = 'unspecified.implied.traffic-interface'
const events = 'unspecified.events'
const images = 'unspecified.limits.image-resizing'

/** Where other services have such operations; the document has none of them. */
const paths = {
  [deploying]: ['/workers/scripts', '/workers/routes', '/workers/triggers'],
  [events]: ['/notifications', '/webhooks', '/events']
}

export default check({
  title: 'Whether there are operations and ways of which the document says nothing',
  clauses: [deploying, traffic, events, images],
  needs: ['management', 'edge'],
  async run({ management, edge, zones, hosts, observe }) {
    for (const [clause, all] of Object.entries(paths)) {
      const replies = await Promise.all(
        all.map((path) => management.get(`/zones/${zones.pro}${path}`))
      )
      const outcomes = replies.map(({ because }, index) => ({ asked: all[index]!, came: because }))
      observe(clause, byOutcome(outcomes), replies[0]!, ...replies.slice(1))
    }
    const named = await edge.zone('pro').get('/')
    const unnamed = await edge.as('nobody.example.test').get('/')
    const seen =
      `for the host ${'pro' in hosts ? hosts.pro : 'of a zone'}: ${named.because}, ` +
      `for a host of no zone: ${unnamed.because}`
    observe(traffic, seen, named, unnamed)
    const image = await edge.zone('pro').get('/cdn-cgi/image/width=20/plimsoll.png')
    observe(images, `an image that is to be resized: ${image.because}`, image)
  }
})
