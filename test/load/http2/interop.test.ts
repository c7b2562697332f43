import { describe, expect, test } from 'vitest'
import { closed } from '../../../src/load/load.ts'
import { ask } from '../ask.ts'
import { isInstalled, programs, startProgram } from './programs.ts'

const load = closed({ connections: 2, pipelining: 10, iterations: 300 })

describe.each(Object.keys(programs))('%s, which nobody here wrote', (name) => {
  describe.skipIf(!isInstalled(name))('is understood', () => {
    test.each(['plain', 'secure'] as const)('%s: small, large, without a body', async (way) => {
      const url = (await startProgram(name))[way]
      const requests = [
        { url: `${url}/` },
        { url: `${url}/large` },
        { url: `${url}/large`, method: 'HEAD' }
      ]
      const lengths = new Set<string>()
      const checks = {
        read: ({ bytes, headers }: { bytes: Buffer; headers: Record<string, string> }) => {
          lengths.add(`${bytes.length} of ${headers['content-length']}`)
          return true
        }
      }
      const options = { transport: 'http2', verifyTls: false, checks } as const
      const { results, connections, bytes } = await ask(requests, load, options)
      expect(results).toEqual({ 200: 300 })
      expect(connections).toMatchObject({ protocol: 'HTTP/2', unsolicited: 0, failed: {} })
      expect(Object.keys(connections.ends ?? {})).toEqual(
        name === 'nginx' ? ['GOAWAY (NO_ERROR)'] : []
      )
      expect([...lengths].sort()).toEqual(['0 of 100000', '100000 of 100000', '5 of 5'])
      expect(bytes.received).toBeGreaterThan(100 * 100_000)
    })
  })
})
