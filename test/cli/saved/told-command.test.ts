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
    ['--cookie', 'a=b', 'c=d', '-d', '1s', 'http://a/'],
    ['--cookie', '…', '…', '-d', '1s', 'http://a/']
  ],
  [
    ['-b', '{"user":"me","password":"x\\"y"}', '--body=a=1&api_key=x&b=2', '--tokens=true'],
    ['-b', '{"user":"me","password":"…"}', '--body=a=1&api_key=…&b=2', '--tokens=true']
  ],
  [['http://127.0.0.1/?access_token=x&b=2'], ['http://127.0.0.1/?access_token=…&b=2']],
  [
    ['--curl', '@order.txt', '-c', '1'],
    ['--curl', '@order.txt', '-c', '1']
  ],
  [
    ['load', 'http://127.0.0.1/', '-b', '{"a":1}'],
    ['load', 'http://127.0.0.1/', '-b', '{"a":1}']
  ]
])('%j is told as %j', (words, told) => {
  expect(toldCommand(words)).toEqual(told)
})

test.each([
  ...['-u me:x', '-ume:x', '--user me:x', '--user=me:x', '-su me:x', "-b 'sid=x'", '-bsid=x'],
  ...['--cookie sid=x', '-d pw=x', '-dpw=x', '--data-raw x', '--json {"p":"x"}', "-H 'a: x'"],
  ...['-e http://a/x', '-A x', '--proxy-user x']
])('of curl %s nothing is told', (flags) => {
  const command = `curl ${flags} http://127.0.0.1/x?sig=x`
  expect(toldCommand(['load', '--curl', command, '-n', '1'])).toEqual(
    ...[['load', '--curl', 'curl …', '-n', '1']]
  )
  expect(toldCommand(['load', `--curl=${command}`])).toEqual(['load', '--curl=curl …'])
})
