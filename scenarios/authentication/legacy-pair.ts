import { type Client, check } from 'plimsoll'
import { anonymous } from '../_credential.ts'
import { freshId } from '../_id.ts'
import { isRefused, isServed, isTurnedDown } from '../_reply.ts'
import { exampleJob } from '../log-push/_stage.ts'

export default check({
  title: 'A log-push job can be created with the legacy pair of an address and a key',
  clauses: ['auth.legacy-pair'],
  needs: ['management', 'zone'],
  async run({ management, adapter, credentials, random, verify }) {
    const { email, apiKey } = { ...credentials }
    if (email === undefined || apiKey === undefined) return
    const { id } = await adapter.zone('enterprise')
    const create = (client: Client) =>
      client.post(`/zones/${id}/logpush/jobs`, { json: exampleJob })
    const withKey = (key: string) =>
      anonymous(management).with({ 'x-auth-email': email, 'x-auth-key': key })
    const token = await create(management)
    const own = await create(withKey(apiKey))
    const foreign = await create(withKey(freshId(random)))
    // A target may refuse the job itself; who is let in then shows in what the refusal is.
    if (token.status === foreign.status && isTurnedDown(token)) return
    const isSame = own.status === token.status && isServed(own) === isServed(token)
    const saw = `token: ${token.because}, pair: ${own.because}, unknown key: ${foreign.because}`
    verify('auth.legacy-pair', { holds: isSame && isRefused(foreign), saw }, token, own, foreign)
  }
})
