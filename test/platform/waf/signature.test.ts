import { expect, test } from 'vitest'
import { inspected } from '../../../src/platform/waf/inspected.ts'
import { detector, signatures } from '../../../src/platform/waf/signature.ts'

type Request = { uri?: string; agent?: string; cookie?: string; method?: string }

function found({ uri = '/', agent = 'Probe/1', cookie = '', method = 'GET' }: Request): string[] {
  const facts = {
    'http.request.uri': uri,
    'http.request.method': method,
    'http.user_agent': agent,
    'http.cookie': cookie
  }
  const detects = detector(inspected(facts))
  return signatures.map(({ name }) => name).filter(detects)
}

/** A request for every signature, and what else it cannot but match. */
const attacks: [signature: string, request: Request, also?: string[]][] = [
  ['union-select', { uri: '/?id=1+UNION+ALL+SELECT+a' }],
  ['select-from', { uri: '/?id=(select%20*%20from%20users)' }],
  ['tautology', { uri: "/?id=1'+or+'1'='1" }],
  ['stacked-query', { uri: '/?id=1;drop+table+users' }],
  ['schema', { uri: "/?t=1'+from+information_schema.tables" }],
  ['timing', { uri: '/?id=pg_sleep(9)' }],
  ['shell', { uri: '/?f=a;cat+.env' }],
  ['substitution', { uri: '/?f=$(date)' }],
  ['quote-comment', { uri: "/?user=the+admin'--+and" }],
  ['command-output', { uri: '/?f=$(id)' }, ['substitution']],
  ['login-comment', { uri: "/?user=admin'--" }, ['quote-comment']],
  ['server-function', { uri: '/?id=load_file(0)' }],
  ['template', { uri: '/?name={{7*7}}' }],
  ['server-code', { uri: '/?name=phpinfo()' }],
  ['query-operator', { uri: '/?user[$ne]=a' }],
  ['script-tag', { uri: '/?q=%3Cscript%3E' }],
  ['event-handler', { cookie: 'a="b onload=c"' }],
  ['script-uri', { uri: '/?next=JavaScript:x' }],
  ['script-call', { uri: '/?q=alert(1)' }],
  ['document', { uri: '/?q=document.cookie' }],
  ['active-tag', { uri: '/?q=%253Csvg' }],
  ['active-value', { uri: '/?q=srcdoc=a' }],
  ['dot-dot', { uri: '/static/%2e%2e/secret' }],
  ['system-file', { uri: '/?f=/etc/passwd' }],
  ['hidden-file', { uri: '/.git/config' }],
  ['wrapper', { uri: '/?page=php://input' }],
  ['null-byte', { uri: '/?f=a.php%00.png' }],
  ['split-header', { uri: '/?next=a%0d%0aSet-Cookie:b' }],
  ['method', { method: 'TRACE' }],
  ['no-agent', { agent: '' }],
  ['odd-bytes', { uri: '/%c3%a9' }],
  ['lookup', { uri: '/?q=${jndi:a' }],
  ['entity', { cookie: 'a=<!entity a system b' }],
  ['metadata', { uri: '/?u=http://169.254.169.254/' }]
]

test.each(attacks)('%s', (signature, request, also = []) => {
  expect(found(request).toSorted()).toEqual([signature, ...also].toSorted())
})

test('every signature is tried out', () => {
  const tried = attacks.map(([signature]) => signature)
  expect(tried).toEqual(signatures.map(({ name }) => name))
})

test.each([
  '/',
  '/shop/list?page=2&sort=price&order=asc',
  '/articles/the-union-of-south-africa',
  '/search?q=select+a+colour',
  '/search?q=rock+or+pop',
  '/docs/etc/hosts.html',
  '/a/..b/c..d/',
  '/login?next=https://www.example.test/welcome',
  '/p?text=5%25+off;+today+only',
  '/on/load/balancing',
  '/?q=drop+by;+insert+coin',
  '/search?name=O%27Brien+%26+Sons',
  '/?q=select+name+from+users+order+by+name',
  '/?text=the+file+/etc/passwd+lists+users',
  '/%%%zz'
])('nothing is found in %s', (uri) => {
  const request = { uri, agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101' }
  expect(found(request)).toEqual([])
})

test.each([
  ['null-byte', '/?f=a.php%252500.png'],
  ['split-header', '/?next=a%25250d%25250aSet-Cookie:b']
])('%s is found through three encodings: %s', (signature, uri) => {
  expect(found({ uri, agent: 'curl' })).toEqual([signature])
})
