import { check, type Reply } from 'plimsoll'
import { anonymous } from '../_credential.ts'
import { quoted } from '../_reply.ts'

const clause = 'unspecified.implied.json-rpc-batch'

const call = (id: number) => ({ jsonrpc: '2.0', method: 'eth_chainId', params: [], id })
const notification = { jsonrpc: '2.0', method: 'eth_chainId', params: [] }

/** What to send, by what it is. */
const batches: { [what: string]: unknown } = {
  'three calls': [call(3), call(1), call(2)],
  'a call and a notification': [call(1), notification],
  'a call and a number': [call(1), 1],
  'two calls with one id': [call(1), call(1)],
  'an empty batch': [],
  'only notifications': [notification, notification],
  'a notification by itself': notification,
  'a batch of 1,001': Array.from({ length: 1_001 }, (_, index) => call(index))
}

/** The ids of a batch's answers in their order, or what came instead. */
function ids({ because, json, body }: Reply): string {
  if (!Array.isArray(json)) return `${because}, ${quoted(json ?? body)}`
  return `${because}, ${json.length} answers, ids ${quoted(json.map((item) => item?.id))}`
}

export default check({
  title: 'What the gateway makes of batches and of notifications',
  clauses: [clause],
  needs: ['gateway'],
  async run({ gateway, observe }) {
    for (const [what, json] of Object.entries(batches)) {
      const reply = await anonymous(gateway).post('/v1/sepolia', { json })
      observe(clause, `${what}: ${ids(reply)}`, reply)
    }
  }
})
