import { send } from '../answer.ts'
import type { Service } from '../listener.ts'

const error = { code: -32_601, message: 'this version of the platform has no blockchain gateway' }

/** The blockchain gateway's listener: it answers, and says that there is no gateway yet. */
export function gateway(): Service {
  const answer = (status: number) => ({
    status,
    type: 'application/json',
    body: JSON.stringify({ jsonrpc: '2.0', id: null, error })
  })
  return {
    onRequest(message, response, proceed) {
      proceed()
      message.resume()
      send(response, answer(501))
    },
    onMalformed: answer
  }
}
