import { type Client, check, type Reply } from 'plimsoll'
import { bearing } from '../_credential.ts'
import { freshId } from '../_id.ts'
import { byOutcome } from '../_outcomes.ts'
import { largest } from '../_zone.ts'

/** Every operation of page protection, asked so that it would change nothing for one who may. */
async function everything(client: Client, options: { path: string; noPolicy: string }) {
  const { path, noPolicy } = options
  const lists = ['scripts', 'connections', 'cookies', 'policies']
  return await Promise.all([
    client.get(path),
    ...lists.map((kind) => client.get(`${path}/${kind}`)),
    client.put(path, { json: {} }),
    client.post(`${path}/policies`, { json: {} }),
    client.put(`${path}/policies/${noPolicy}`, { json: {} }),
    client.delete(`${path}/policies/${noPolicy}`)
  ] as [Promise<Reply>, ...Promise<Reply>[]])
}

export default check({
  title: 'Which operations a token that may only read, or do nothing, is let in to',
  clauses: ['unspecified.auth.permissions'],
  needs: ['management'],
  async run({ management, zones, credentials, random, observe }) {
    const path = `/zones/${largest(zones)}/page_shield`
    const noPolicy = freshId(random)
    for (const name of ['readOnlyToken', 'noPermissionToken']) {
      if (!(name in credentials)) continue
      const token = credentials[name]!
      const replies = await everything(bearing(token, management), { path, noPolicy })
      const outcomes = replies.map(({ request, because }) => {
        const [, below] = request.url.replace(noPolicy, '{id}').split('page_shield')
        return { asked: `${request.method} page_shield${below}`, came: because }
      })
      observe('unspecified.auth.permissions', `${name}: ${byOutcome(outcomes)}`, ...replies)
    }
  }
})
