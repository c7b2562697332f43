import type { Said } from './_selected.ts'
import { agents, parametersOf, shop, type Visit, valuesIn } from './_visits.ts'

const agent = 'http.user_agent'
const path = 'http.request.uri.path'
const query = 'http.request.uri.query'

const refererOf = ({ headers }: Visit) => headers.referer ?? ''
const agentIs = (is: (text: string) => boolean) => (visit: Visit) => is(visit.agent)
const among = (...texts: string[]) => agentIs((text) => texts.includes(text))
const isLong = (is: (bytes: number) => boolean) => agentIs(({ length }) => is(length))

/** Whether texts are equal, which comes first, and what is in them, in each way to write it. */
const comparisons: Said[] = [
  [`${agent} eq "abc"`, among('abc')],
  [`${agent} == "a"`, among('a')],
  [`${agent} ne "abc"`, (visit) => visit.agent !== 'abc'],
  [`${agent} != "b"`, (visit) => visit.agent !== 'b'],
  [`${agent} lt "abc"`, agentIs((text) => text < 'abc')],
  [`${agent} < "ab"`, agentIs((text) => text < 'ab')],
  [`${agent} le "abc"`, agentIs((text) => text <= 'abc')],
  [`${agent} <= "ABC"`, agentIs((text) => text <= 'ABC')],
  [`${agent} gt "abc"`, agentIs((text) => text > 'abc')],
  [`${agent} > "b"`, agentIs((text) => text > 'b')],
  [`${agent} ge "abc"`, agentIs((text) => text >= 'abc')],
  [`${agent} >= "abd"`, agentIs((text) => text >= 'abd')],
  [`${agent} contains "bc"`, agentIs((text) => text.includes('bc'))],
  [`${agent} contains "bca"`, agentIs((text) => text.includes('bca'))],
  [`${agent} contains "aab"`, agentIs((text) => text.includes('aab'))],
  [`${agent} in {"a" "ABC" "zz"}`, among('a', 'ABC')],
  [`${agent} in { "xx"  "b" }`, among('xx', 'b')],
  [`not ${agent} in {"a" "abc"}`, (visit) => !['a', 'abc'].includes(visit.agent)],
  // The longest search that a head has room for.
  [`${query} contains "${'ab'.repeat(150)}c"`, ({ path: at }) => at === '/long'],
  [`${query} contains "${'ab'.repeat(150)}d"`, () => false]
]

/** A set of texts, and what is in it: any of its members, wherever it stands. */
export function setOf(members: readonly string[]): Said {
  const written = members.map((text) => JSON.stringify(text)).join(' ')
  return [`${agent} in {${written}}`, among(...members)]
}

/** Of long sets each member is met, whichever way round they are written. */
const plainAgents = agents.filter((text) => /^[\w.-]{1,8}$/.test(text))
const sets = [plainAgents, plainAgents.toReversed()].map(setOf)

const wholes: { [field: string]: (visit: Visit) => string } = {
  [agent]: (visit) => visit.agent,
  [path]: (visit) => visit.path,
  [query]: (visit) => visit.query,
  'http.request.uri': ({ path, query }) => (query === '' ? path : `${path}?${query}`),
  'http.request.method': ({ method }) => method,
  'http.cookie': ({ headers }) => headers.cookie ?? '',
  'http.referer': refererOf
}

/** Each text as it was sent, and in another case, in which it is another text. */
const cased = Object.entries(wholes).flatMap(([field, of]) =>
  [of(shop), of(shop).toLowerCase(), of(shop).toUpperCase()].map(
    (text): Said => [`${field} eq "${text}"`, (visit) => of(visit) === text]
  )
)

/** How a text is written: escaped, raw, by its bytes; and letters that are several bytes. */
const texts: Said[] = [
  [`${agent} eq "a\\"b"`, among('a"b')],
  [`${agent} eq "a\\\\b"`, among('a\\b')],
  [`${agent} eq "\\x61\\x62"`, among('ab')],
  [`${agent} eq "\\141bc\\141\\142\\143"`, among('abcabc')],
  [`${agent} eq r"a\\b"`, among('a\\b')],
  [`${agent} eq r#"a"b"#`, among('a"b')],
  [`${agent} in {61:62:63 62:34:32}`, among('abc', 'b42')],
  [`${agent} eq 61-62-64`, among('abd')],
  [`${agent} eq 78.78`, among('xx')],
  [`${agent} eq "café"`, among('caf\xc3\xa9')],
  [`${agent} contains "\\xc3\\xa9"`, among('caf\xc3\xa9')],
  [`${agent} contains 5b:31`, agentIs((text) => text.includes('[1'))]
]

/** Whole numbers: that of bytes, and those written in decimal, hexadecimal and octal digits. */
const numbers: Said[] = [
  [`len(${agent}) eq 3`, isLong((bytes) => bytes === 3)],
  [`len(${agent}) == 0x8`, isLong((bytes) => bytes === 8)],
  [`len(${agent}) ne 3`, isLong((bytes) => bytes !== 3)],
  [`len(${agent}) != 010`, isLong((bytes) => bytes !== 8)],
  [`len(${agent}) lt 3`, isLong((bytes) => bytes < 3)],
  [`len(${agent}) < 2`, isLong((bytes) => bytes < 2)],
  [`len(${agent}) le 3`, isLong((bytes) => bytes <= 3)],
  [`len(${agent}) <= 5`, isLong((bytes) => bytes <= 5)],
  [`len(${agent}) gt 5`, isLong((bytes) => bytes > 5)],
  [`len(${agent}) > 0xB`, isLong((bytes) => bytes > 11)],
  [`len(${agent}) ge 6`, isLong((bytes) => bytes >= 6)],
  [`len(${agent}) >= 8`, isLong((bytes) => bytes >= 8)],
  [`len(${agent}) gt -1`, () => true],
  [`len(${agent}) eq -1`, () => false],
  [`len(${agent}) in {1 3..4 7}`, isLong((bytes) => [1, 3, 4, 7].includes(bytes))],
  [`len(${agent}) in {5..9 2..6 1..1}`, isLong((bytes) => bytes < 10)],
  [`len(${agent}) in {2..3 10..12 6..6}`, isLong((bytes) => [2, 3, 6, 10, 11, 12].includes(bytes))],
  [`len(${agent}) in {1..2 5..9 6..7}`, isLong((bytes) => bytes < 3 || (bytes > 4 && bytes < 10))],
  [`len(${agent}) in {2..9 3..4}`, isLong((bytes) => bytes >= 2 && bytes <= 9)],
  [`len(${agent}) & 1`, isLong((bytes) => bytes % 2 === 1)],
  [`len(${agent}) bitwise_and 6`, isLong((bytes) => (bytes & 6) !== 0)],
  [`len(${query}) gt 11000`, ({ path: at }) => at === '/long']
]

const x = 'http.request.uri.args["x"]'
const names = 'http.request.uri.args.names'
const values = 'http.request.uri.args.values'

/** Parts of a request, and lists of them: at a place, by a name, all of them. */
const parts: Said[] = [
  [`http.request.method eq "POST"`, ({ method }) => method === 'POST'],
  [`http.request.method in {"PUT" "POST"}`, ({ method }) => method !== 'GET'],
  [`${path} eq "/a"`, (visit) => visit.path === '/a'],
  [`${query} eq "x=1"`, (visit) => visit.query === 'x=1'],
  [`http.request.uri eq "/a?x=1"`, ({ path: at, query: of }) => at === '/a' && of === 'x=1'],
  [`http.cookie contains "sid=abc"`, ({ headers }) => /sid=abc/.test(headers.cookie ?? '')],
  [`http.referer eq "http://r.example.test/p"`, (visit) => /\/p$/.test(refererOf(visit))],
  [`${x}[0] eq "1"`, (visit) => valuesIn(visit, 'x')[0] === '1'],
  [`${x}[1] eq "3"`, (visit) => valuesIn(visit, 'x')[1] === '3'],
  [`not ${x}[0] eq "3"`, (visit) => valuesIn(visit, 'x')[0] !== '3'],
  [`any(${x}[*] eq "3")`, (visit) => valuesIn(visit, 'x').includes('3')],
  [`any(${names}[*] eq "y")`, (visit) => valuesIn(visit, 'y').length > 0],
  [`all(${names}[*] eq "x")`, (visit) => parametersOf(visit).every(([name]) => name === 'x')],
  [
    `any((${names}[*] eq "q" or ${names}[*] eq "y"))`,
    (visit) => parametersOf(visit).some(([name]) => ['q', 'y'].includes(name))
  ],
  [
    `all((${names}[*] ne "y" and ${values}[*] ne "Hello"))`,
    (visit) => parametersOf(visit).every(([name, value]) => name !== 'y' && value !== 'Hello')
  ],
  [
    `any((${names}[*] eq "x" xor ${values}[*] eq "3"))`,
    (visit) => parametersOf(visit).some(([name, value]) => (name === 'x') !== (value === '3'))
  ],
  [
    `any((not ${values}[*] in {"1" "3"}))`,
    (visit) => parametersOf(visit).some(([, value]) => !['1', '3'].includes(value))
  ],
  [
    `any(http.request.uri.args[*][*] eq "two")`,
    (visit) => parametersOf(visit).some(([, value]) => value === 'two')
  ],
  [`any(http.request.uri.args[*][1] contains "3")`, (visit) => valuesIn(visit, 'x')[1] === '3'],
  [`http.request.headers["x-v"][0] eq "quick"`, ({ headers }) => headers['x-v'] === 'quick'],
  [`any(http.request.headers["x-v"][*] contains "uick")`, ({ headers }) => 'x-v' in headers],
  [`any(http.request.headers.names[*] eq "x-v")`, ({ headers }) => 'x-v' in headers],
  [`http.request.cookies["sid"][0] eq "abc"`, ({ headers }) => /=abc/.test(headers.cookie ?? '')]
]

/** What any rule may ask. */
export const comparing: readonly Said[] = [
  ...[...comparisons, ...sets, ...cased],
  ...[...texts, ...numbers, ...parts]
]
