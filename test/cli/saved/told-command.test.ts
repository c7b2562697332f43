import { expect, test } from 'vitest'
import { toldCommand } from '../../../src/cli/saved/told-command.ts'

test.each([
  [
    ['-H', 'Authorization: Bearer x'],
    ['-H', 'Authorization: …']
  ],
  [
    ['-HX-Api-Key: x', '--header=cookie: a=b'],
    ['-HX-Api-Key: …', '--header=cookie: …']
  ],
  [
    ['-H', 'x-auth-token:x', 'b'],
    ['-H', 'x-auth-token:…', 'b']
  ],
  [
    ['--cookie', 'a=b', '-d', '1s'],
    ['--cookie', '…', '-d', '1s']
  ],
  [
    ['--cookie=a=b', '--user=me:x', '-u', 'me:x'],
    ['--cookie=…', '--user=…', '-u', '…']
  ],
  [['http://me:x@127.0.0.1/?a=b@c'], ['http://…@127.0.0.1/?a=b@c']],
  [
    ['--curl', "curl -H 'authorization: x' -b 'a: c' http://a:b@c/"],
    ['--curl', "curl -H 'authorization: …' -b 'a: c' http://…@c/"]
  ],
  [
    ['load', 'http://127.0.0.1/', '-b', '{"a":1}'],
    ['load', 'http://127.0.0.1/', '-b', '{"a":1}']
  ]
])('%j is told as %j', (words, told) => {
  expect(toldCommand(words)).toEqual(told)
})
