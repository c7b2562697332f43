import type { Calls } from '../calls.ts'

type Sending = { body: unknown; delaySeconds?: number }

/** Makes a binding to a queue, for whoever sends to it. */
export function createQueue({ call }: Calls, id: string) {
  return {
    async send(body: unknown, options: { delaySeconds?: number } = {}): Promise<void> {
      const { delaySeconds } = options
      await call({ service: 'queue', method: 'send', id, args: [{ body, delaySeconds }] })
    },
    async sendBatch(messages: Iterable<Sending>): Promise<void> {
      const args = [Array.from(messages, ({ body, delaySeconds }) => ({ body, delaySeconds }))]
      await call({ service: 'queue', method: 'sendBatch', id, args })
    }
  }
}
