import { check, KB, type Reply } from 'plimsoll'
import { echo } from '../edge/_echo.ts'

const url = 'unspecified.implied.url-too-long-status'
const headers = 'unspecified.implied.headers-too-large-status'
const base = 'unspecified.implied.kb-mb-base'

const named = { 'a decimal': 16 * KB, 'the binary': 16_384, 'one beyond the binary': 16_385 }

export default check({
  title: 'How the edge refuses what is too long, and whether its KB are decimal or binary',
  clauses: [url, headers, base],
  needs: ['edge'],
  async run({ edge, observe }) {
    const zone = edge.zone('pro')
    const asked = (bytes: number): Promise<Reply> =>
      zone.send({ method: 'GET', path: `${echo}?`.padEnd(bytes, 'a') })
    const long = await asked(40 * KB)
    observe(url, `40 KB of URL: ${long.because}`, long)
    const one: [string, string][] = [['x-large', 'a'.repeat(20 * KB)]]
    const many = Array.from({ length: 5 }, (_, index): [string, string] => {
      return [`x-${index}`, 'a'.repeat(10 * KB)]
    })
    for (const [what, own] of [
      ['one header of 20 KB', one],
      ['50 KB of headers', many]
    ] as const) {
      const reply = await zone.send({ method: 'GET', path: echo, headers: own })
      observe(headers, `${what}: ${reply.because}`, reply)
    }
    const replies: Reply[] = []
    const seen: string[] = []
    for (const [name, bytes] of Object.entries(named)) {
      const reply = await asked(bytes)
      replies.push(reply)
      seen.push(`${name} 16 KB (${bytes} bytes) of URL: ${reply.because}`)
    }
    observe(base, seen.join('; '), replies[0]!, ...replies.slice(1))
  }
})
