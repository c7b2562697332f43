import { expect, test } from 'vitest'
import { parseDestination } from '../../../src/platform/logpush/destination.ts'

test.each([
  [
    'https://logs.test/in?header_Authorization=Bearer%20a&tag=b&header_X-Y=z',
    {
      kind: 'web',
      url: 'https://logs.test/in?tag=b',
      headers: { Authorization: 'Bearer a', 'X-Y': 'z' }
    }
  ],
  ['http://127.0.0.1:8080', { kind: 'web', url: 'http://127.0.0.1:8080/', headers: {} }],
  ['file:///var/log/a%20b', { kind: 'folder', path: '/var/log/a b' }],
  [
    's3://bucket/logs/{DATE}?region=us-west-2&sse=AES256',
    {
      kind: 'bucket',
      url: 'https://bucket.s3.us-west-2.amazonaws.com/logs/%7BDATE%7D/',
      region: 'us-west-2',
      encryption: 'AES256'
    }
  ],
  [
    's3://bucket?region=a&endpoint=http://127.0.0.1:9000&access-key-id=k&secret-access-key=s',
    {
      kind: 'bucket',
      url: 'http://127.0.0.1:9000/bucket/',
      region: 'a',
      credentials: { accessKeyId: 'k', secretAccessKey: 's' }
    }
  ]
])('%s is read', (text, expected) => {
  expect(parseDestination(text)).toEqual(expected)
})

test.each([
  ['', 'must begin with'],
  ['logs.test/in', 'must begin with'],
  ['ftp://logs.test', 'must begin with'],
  ['https://me:secret@logs.test', 'must not hold a password'],
  ['https://logs.test?header_a%20b=c', 'header_a b is not a header'],
  ['https://logs.test?header_a=b%0d%0ac', 'header_a is not a header'],
  ['file://host/var', 'is not the path of a folder'],
  ['file:///var?a=b', 'takes no parameters'],
  ['s3://bucket/logs', 'must have a region parameter'],
  ['s3://Under_score?region=a', 'must name a bucket'],
  ['s3://bucket?region=a&endpoint=127.0.0.1:9000', 'endpoint must be'],
  ['s3://bucket?region=a&sse=%0a', 'sse makes no sense']
])('%s is refused', (text, because) => {
  expect(() => parseDestination(text)).toThrow(`destination_conf: ${because}`)
})
