import { expect, test } from 'vitest'
import { curlRequest } from '../../../src/cli/flags/curl.ts'

const form = 'content-type: application/x-www-form-urlencoded'

test.each([
  ['curl http://a/', { url: 'http://a/', method: 'GET', header: [] }],
  ['curl -sSi a/b', { url: 'http://a/b', method: 'GET', header: [] }],
  ['curl -I --url http://a', { url: 'http://a', method: 'HEAD', header: [] }],
  ['curl a -d b=1 -d c=2', { url: 'http://a', method: 'POST', header: [form], body: 'b=1&c=2' }],
  [
    `curl -XPUT 'http://a/' -H 'Content-Type: x/y' --data-raw '{}'`,
    { url: 'http://a/', method: 'PUT', header: ['Content-Type: x/y'], body: '{}' }
  ],
  [
    `curl a --json '{"b":1}'`,
    {
      ...{ url: 'http://a', method: 'POST', body: '{"b":1}' },
      header: ['content-type: application/json', 'accept: application/json']
    }
  ],
  ["curl a -H 'Accept:' -H 'x-none;'", { url: 'http://a', method: 'GET', header: ['x-none: '] }],
  [`curl a -H 'Content-Type:' -d b`, { url: 'http://a', method: 'POST', header: [], body: 'b' }],
  ['curl -G a/b -d c=1 -d d=2', { url: 'http://a/b?c=1&d=2', method: 'GET', header: [] }],
  ['curl -GI a?b=1#c -d d', { url: 'http://a?b=1&d#c', method: 'HEAD', header: [] }],
  ['curl a --data-binary @b', { url: 'http://a', method: 'POST', header: [form], body: '@b' }],
  [
    'curl a -u me:x -b c=d -A me -e b --compressed',
    {
      ...{ url: 'http://a', method: 'GET' },
      header: [
        ...['user-agent: me', 'referer: b', 'cookie: c=d', 'authorization: Basic bWU6eA=='],
        'accept-encoding: deflate, gzip, br, zstd'
      ]
    }
  ]
])('%s', (command, request) => {
  expect(curlRequest(command)).toEqual(request)
})

test.each([
  ['wget http://a', /--curl "wget http:\/\/a" does not begin with curl: give the whole command as/],
  ['curl', /--curl names 0 URLs/],
  ['curl a b', /--curl names 2 URLs/],
  ['curl -L a', /--curl -L is not among what is read of curl: --request/],
  ['curl --proxy b a', /--curl --proxy is not among/],
  ['curl a -H', /--curl .*argument missing/],
  ['curl a -b jar', /-b jar is a file of cookies/],
  ['curl a -d @b', /-d @b takes out line breaks: give it as --data-binary @b/],
  ['curl a -d b --data-binary @c', /bodies of text only, and no files/],
  ['curl a --data-raw @b', /--data-raw that begins with @ is no file there/],
  ['curl -G a --data-binary @b', /-G puts text into the URL, and no file/],
  ["curl 'a/[1-9]'", /is a pattern of curl's/],
  ['curl a | sh', /--curl a shell would act on \| sh/],
  ["curl 'a", /--curl a quotation is open/]
])('%s is refused', (command, message) => {
  expect(() => curlRequest(command)).toThrow(message)
})
