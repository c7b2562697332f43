import { once } from 'node:events'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { plimsoll, plimsollJson } from './plimsoll.ts'

/** A server that takes bodies of so many bytes, and paths of a hundred. */
async function taking(most: number): Promise<string> {
  const server = createServer((request, response) => {
    let received = 0
    request.on('data', ({ length }) => (received += length))
    request.on('end', () => {
      const isLong = request.url!.length > 100
      response.writeHead(received > most ? 413 : isLong ? 414 : 200).end('ok')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('what was found is verified from then on, and one unit more is not', async () => {
  const url = await taking(3_000)
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-written-'))
  const limits = 'url,headers,header-count,body'
  const { code } = await plimsoll('probe', `${url}/a?b=c`, '--limits', limits, '--write', folder)
  expect(code).toBe(0)
  const target = join(folder, 'target.json')
  const run = async () => {
    const asked = ['--scenarios', folder, '--target', target, '--out', join(folder, 'out')]
    const { code, json } = await plimsollJson('run', ...asked)
    const told = json.verdicts.map(({ clause, outcome }: Record<string, string>) => {
      return [clause, outcome]
    })
    return { code, ...Object.fromEntries(told) }
  }
  const sizes = { 'found.url': 'pass', 'found.headers': 'pass', 'found.header-count': 'pass' }
  expect(await run()).toEqual({ code: 0, ...sizes, 'found.body': 'pass' })
  writeFileSync(target, readFileSync(target, 'utf8').replace(url, await taking(3_001)))
  expect(await run()).toEqual({ code: 1, ...sizes, 'found.body': 'fail' })
})
