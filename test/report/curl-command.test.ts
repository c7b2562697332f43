import { expect, test } from 'vitest'
import { curlCommand } from '../../src/report/curl-command.ts'

const url = 'http://127.0.0.1:1/a'
const commandOf = (method: string, url: string, bodyBytes = 0) =>
  curlCommand({ request: { method, url, bodyBytes } })

test.each([
  ['GET', url, 0, `curl -i ${url}`],
  ['HEAD', url, 0, `curl -i -I ${url}`],
  ['DELETE', url, 0, `curl -i -X DELETE ${url}`],
  ['POST', url, 9, `head -c 9 /dev/zero | curl -i -X POST --data-binary @- ${url}`],
  [
    'HEAD',
    url,
    9,
    'head -c 9 /dev/zero | curl -i -X HEAD --ignore-content-length -H ' +
      `'Connection: close' --data-binary @- ${url}`
  ],
  ['GET', `${url}?q='$(id)'`, 0, `curl -i '${url}?q='\\''$(id)'\\'''`],
  ['GET', `${url}?page[size]=1`, 0, `curl -i -g '${url}?page[size]=1'`],
  ['GET', `${url}?{a,b}[1-9999]`, 0, `curl -i -g '${url}?{a,b}[1-9999]'`]
])('%s %s with %i bytes is asked once, as it was', (method, url, bodyBytes, command) => {
  expect(commandOf(method, url, bodyBytes)).toBe(command)
})

test.each([
  ['GET; id', url],
  ['GET', 'file:///etc/hostname'],
  ['GET', `${url}…`],
  ['GET', `${url} -o x`],
  ['GET', `${url}${'x'.repeat(2_000)}`]
])('%s %s is no command', (method, url) => {
  expect(commandOf(method, url)).toBeUndefined()
})
