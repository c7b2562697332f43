import type { Said } from './_selected.ts'
import { parametersOf, token, urlToken, type Visit, valuesIn } from './_visits.ts'

const agent = 'http.user_agent'
const path = 'http.request.uri.path'
const query = 'http.request.uri.query'

const agentIs = (is: (text: string) => boolean) => (visit: Visit) => is(visit.agent)
const among = (...texts: string[]) => agentIs((text) => texts.includes(text))
const fits = (pattern: RegExp) => agentIs((text) => pattern.test(text))

/** Regular expressions. */
const matches: Said[] = [
  [`${agent} matches "^a.c$"`, fits(/^a.c$/)],
  [`${agent} matches "(?i)^a[b-c]+$"`, fits(/^a[b-c]+$/i)],
  [`${agent} ~ "[0-9]{2}"`, fits(/[0-9]{2}/)],
  [`${agent} matches r"^\\w+$"`, fits(/^\w+$/)],
  [`${agent} matches r"\\d|\\s"`, fits(/\d|\s/)],
  [`${agent} matches r"^\\D+$"`, fits(/^\D+$/)],
  [`${agent} matches r"^\\S+$"`, fits(/^\S+$/)],
  [`${agent} matches r"^[\\s\\w]+$"`, fits(/^[\s\w]+$/)],
  [`${agent} matches "^[^a-z]+$"`, fits(/^[^a-z]+$/)],
  [`${agent} matches "^[[:alpha:]]{3}$"`, fits(/^[a-zA-Z]{3}$/)],
  [`${agent} matches "^(ab)+$"`, fits(/^(ab)+$/)],
  [`${agent} matches "a\\"b"`, among('a"b')],
  [`${agent} matches r"^a[\\\\*]b$"`, among('a*b', 'a\\b')],
  [`${agent} matches r#"a["]b"#`, among('a"b')],
  [`${agent} matches r"^\\[$"`, among('[')],
  [`${agent} matches r"\\x61\\x{62}d"`, among('abd')],
  [`${agent} matches r"(?i)^\\x{41}b\\x{43}$"`, fits(/^abc$/i)],
  [`${agent} matches r"^[\\x{61}-c]+$"`, fits(/^[a-c]+$/)],
  [`${agent} matches r"^[^\\s\\d]+$"`, fits(/^[^\s\d]+$/)],
  [`${agent} matches "(?i)(?-i)^abc$"`, among('abc')],
  [`${agent} matches "(?i-s)^ABC$"`, fits(/^abc$/i)],
  [`${agent} matches "^café$"`, among('caf\xc3\xa9')],
  [`${agent} matches "(?u)^caf[é]$"`, among('caf\xc3\xa9')],
  [`${agent} matches r"(?u)^caf\\p{Ll}$"`, among('caf\xc3\xa9')],
  [`${agent} matches "(?iu)^caf.$"`, among('caf\xc3\xa9', 'CAF\xc3\x89')]
]

/** Texts with stars, which stand for anything. */
const wildcard: Said[] = [
  [`${agent} wildcard "A*C"`, fits(/^a.*c$/i)],
  [`${agent} strict wildcard "a*c"`, fits(/^a.*c$/)],
  [`${agent} wildcard "*b*a*"`, fits(/b.*a/i)],
  [`${agent} wildcard "ab*ab*"`, fits(/^ab.*ab/i)],
  [`${agent} wildcard "a*b*b"`, fits(/^a.*b.*b$/i)],
  [`${agent} wildcard "ABC"`, fits(/^abc$/i)],
  [`${agent} strict wildcard "abc"`, among('abc')],
  [`${agent} wildcard r"a\\*b"`, among('a*b')],
  [`${agent} wildcard r"a\\\\*"`, among('a\\b')],
  [`${agent} wildcard "*"`, () => true],
  [`${agent} wildcard "CAFé*"`, fits(/^caf\xc3\xa9/i)]
]

/** What a query has with its name, at a place of a JSON document that is the user agent. */
const json = (read: (document: any) => unknown, is: (found: any) => boolean) =>
  agentIs((text) => {
    if (!text.startsWith('{')) return false
    const found = read(JSON.parse(text))
    return found !== undefined && is(found)
  })

const letters = (text: string) => text.replace(/[A-Z]/g, (one) => one.toLowerCase())

const genuine = `is_timed_hmac_valid_v0("secret", ${agent},`

/** The functions of rules, each with calls and what comes of them. */
export const calling = {
  matches,
  wildcard,
  lower: [
    [`lower(${agent}) eq "abc"`, (visit) => letters(visit.agent) === 'abc'],
    // Only letters of ASCII are made small.
    [`lower(${agent}) eq "caf\\xc3\\xa9"`, among('caf\xc3\xa9')],
    [`lower(${agent}) eq "caf\\xc3\\x89"`, among('CAF\xc3\x89')],
    [
      `any(lower(http.request.uri.args.values[*])[*] eq "hello")`,
      (visit) => valuesIn(visit, 'q').includes('Hello')
    ]
  ],
  upper: [
    [`upper(${agent}) eq "ABC"`, (visit) => visit.agent.toUpperCase() === 'ABC'],
    [`upper(${agent}) eq "CAF\\xc3\\x89"`, among('CAF\xc3\x89')],
    [`upper(${agent}) eq "CAF\\xc3\\xa9"`, among('caf\xc3\xa9')]
  ],
  starts_with: [
    [`starts_with(${path}, "/a")`, (visit) => visit.path.startsWith('/a')],
    [`starts_with(${agent}, "ab")`, fits(/^ab/)],
    [`not starts_with(${agent}, "a")`, fits(/^[^a]/)],
    [
      // Most requests have no such header.
      `any(starts_with(http.request.headers["x-v"][*], "qu"))`,
      ({ headers }) => headers['x-v'] === 'quick'
    ],
    [
      `any(starts_with(http.request.uri.args.values[*], "tw"))`,
      (visit) => valuesIn(visit, 'y').includes('two')
    ],
    [
      `all(starts_with(http.request.uri.args.names[*], "x"))`,
      (visit) => parametersOf(visit).every(([name]) => name === 'x')
    ]
  ],
  ends_with: [
    [`ends_with(${path}, ".html")`, (visit) => visit.path.endsWith('.html')],
    [`ends_with(${agent}, "b")`, fits(/b$/)]
  ],
  len: [[`len(http.request.uri.args.names) eq 3`, (visit) => parametersOf(visit).length === 3]],
  concat: [
    [`concat(http.request.method, "-", ${agent}) eq "GET-abc"`, isPlainGet('abc')],
    [
      `len(concat(http.request.uri.args["x"], http.request.uri.args["q"])) eq 2`,
      (visit) => valuesIn(visit, 'x').length + valuesIn(visit, 'q').length === 2
    ]
  ],
  to_string: [
    [`to_string(len(${agent})) eq "3"`, agentIs(({ length }) => length === 3)],
    [`to_string(ssl) in {"true" "false"}`, () => true]
  ],
  'to_string of an address': [
    '::1',
    '::',
    'fe80::',
    '1::8',
    '2001:db8::1:0:0:1',
    '1:0:0:2::3',
    '1:2:3:4:5:6:7:8',
    '::ffff:10.200.30.4',
    '10.200.30.4'
  ]
    .map((text): [written: string, shown: string] => [text, text])
    .concat([
      ['2001:DB8::FF00:0042:8329', '2001:db8::ff00:42:8329'],
      ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
      ['0:0:0:0:0:0:0:a', '::a'],
      ['1:0:2:0:0:0:0:3', '1:0:2::3'],
      // One group is left out when read, and written when shown (RFC 5952, 4.2.2).
      ['1:2:3::5:6:7:8', '1:2:3:0:5:6:7:8'],
      ['::2:3:4:5:6:7:8', '0:2:3:4:5:6:7:8']
    ])
    .map(([written, shown]): Said => [`to_string(${written}) eq "${shown}"`, () => true]),
  'to_string of a comparison': [
    [`to_string((${agent} eq "abc")) eq "true"`, among('abc')],
    [`to_string(not ${agent} eq "abc") eq "false"`, among('abc')],
    [`to_string(${agent} eq "abc") eq "true"`, among('abc')],
    [
      `len((http.request.uri.args.names[*] eq "x")) eq 3`,
      (visit) => parametersOf(visit).length === 3
    ]
  ],
  'an argument in hexadecimal digits': [
    [`starts_with(${agent}, 61:62)`, fits(/^ab/)],
    [`concat(${agent}, 2d.78) eq "abc-x"`, among('abc')]
  ],
  url_decode: [
    [`url_decode(${agent}) eq "abc d"`, () => false],
    [`url_decode(${agent}) eq "%61b%63 d"`, among('%6%31b%2563+d')],
    [`url_decode(${agent}, "r") eq "abc d"`, among('%6%31b%2563+d')],
    [`url_decode(${agent}, "r") eq "%a"`, () => false],
    [`url_decode(${agent}, "u") eq "\\xc3\\xa9"`, among('%u00e9')],
    [`url_decode(${agent}, "ur") eq "\\xc3\\xa9"`, among('%u00e9')],
    [`url_decode(${agent}) eq "%u00e9"`, among('%u00e9')]
  ],
  decode_base64: [
    [`decode_base64(${agent}) eq "hello"`, among('aGVsbG8=', 'aGVsbG8')],
    [`len(decode_base64(${agent})) eq 3`, agentIs((text) => /^[a-zA-Z0-9]{4}$/.test(text))]
  ],
  lookup_json: [
    [
      `lookup_json_string(${agent}, "s") eq "five"`,
      json(
        ({ s }) => s,
        (s) => s === 'five'
      )
    ],
    [
      `lookup_json_string(${agent}, "a", 1) eq "two"`,
      json(
        ({ a }) => a?.[1],
        (s) => s === 'two'
      )
    ],
    [`lookup_json_string(${agent}, "n") eq "5"`, () => false],
    [
      `any(lookup_json_string(http.request.headers.values[*], "s")[*] contains "iv")`,
      fits(/"five"/)
    ],
    [`lookup_json_integer(${agent}, "n") eq 5`, fits(/"n":5,/)],
    [`lookup_json_integer(${agent}, "n") eq -5`, fits(/"n":-5/)],
    [`lookup_json_integer(${agent}, "n") in {-9..-3 1..2}`, fits(/"n":-5/)],
    [`lookup_json_integer(${agent}, "n") lt 0`, fits(/"n":-/)],
    [`lookup_json_integer(${agent}, "a", 0) == 1`, fits(/"a":\[1/)],
    [`lookup_json_integer(${agent}, "a", 2, "k") eq 0x1f`, fits(/"k":31/)],
    [`lookup_json_integer(${agent}, "big") eq 9007199254740993`, fits(/"big"/)],
    [`lookup_json_integer(${agent}, "big") gt 9007199254740992`, fits(/"big"/)],
    [`lookup_json_integer(${agent}, "big") eq 9007199254740992`, () => false],
    [`lookup_json_integer(${agent}, "big") in {9007199254740992..9007199254740994}`, fits(/"big"/)]
  ],
  remove_bytes: [
    [`remove_bytes(${agent}, "ac") eq "b"`, agentIs((text) => text.replace(/[ac]/g, '') === 'b')],
    [`remove_bytes(${agent}, ".-_") eq "abcd"`, among('a.b-c_d')]
  ],
  substring: [
    [`substring(${agent}, 1) eq "bc"`, fits(/^.bc$/)],
    [`substring(${agent}, 1, 3) eq "bc"`, fits(/^.bc/)],
    [`substring(${agent}, -2) eq "bc"`, fits(/bc$/)],
    [`substring(${agent}, 0, -1) eq "ab"`, fits(/^ab.$/)]
  ],
  split: [
    [`split(${agent}, ",", 4)[1] eq "two"`, among('one,two,three,four')],
    [`split(${agent}, ",", 3)[2] eq "three,four"`, among('one,two,three,four')],
    [`split(${agent}, "b", 9)[1] eq "c"`, fits(/^[^b]*bc$/)]
  ],
  join: [
    [
      `join(http.request.uri.args["x"], "+") eq "1+3"`,
      (visit) => valuesIn(visit, 'x').join('+') === '1+3'
    ]
  ],
  remove_query_args: [
    [`remove_query_args(${query}, "x") eq "y=two"`, (visit) => valuesIn(visit, 'y').length > 0],
    [`remove_query_args(${agent}, "b", "c") eq "a=1"`, among('a=1&b=2&c=3&b=4')],
    [`remove_query_args(${agent}, "a") eq "b=2&c=3&b=4"`, among('a=1&b=2&c=3&b=4')]
  ],
  regex_replace: [
    [`regex_replace(${agent}, "b", "x") eq "axc"`, among('abc')],
    [`regex_replace(${agent}, "^(a)(b)$", "\${2}\${1}") eq "ba"`, among('ab')],
    [`regex_replace(${agent}, "[0-9]+$", "") eq "b"`, among('b', 'b42')],
    [`regex_replace(${agent}, "(?u)^ca(.)é$", "\${1}-") eq "f-"`, among('caf\xc3\xa9')],
    [`regex_replace(${agent}, "(?u)f(é)", "\${1}f") eq "ca\\xc3\\xa9f"`, among('caf\xc3\xa9')]
  ],
  wildcard_replace: [
    [`wildcard_replace(${agent}, "*b*", "\${2}-\${1}") eq "c-a"`, among('abc', 'aBc')],
    [`wildcard_replace(${agent}, "*b*", "\${2}-\${1}", "s") eq "c-a"`, among('abc')],
    [`wildcard_replace(${agent}, "a*", "$$\${1}") eq "$bd"`, among('abd')]
  ],
  bit_slice: [
    [`bit_slice(${agent}, 0, 8) eq 0x61`, fits(/^a/)],
    [`bit_slice(${agent}, 1, 2) eq 1`, agentIs((text) => (text.charCodeAt(0) & 0x40) > 0)],
    [`bit_slice(${agent}, 4, 12) eq 0x16`, fits(/^[1aqAQ][`a-o]/)],
    [`bit_slice(${agent}, 8, 40) eq 0x62636465`, fits(/^.bcde/)]
  ],
  is_timed_hmac_valid_v0: [
    [`${genuine} 60, 1700000050)`, among(token)],
    [`${genuine} 60, 1700000090)`, () => false],
    [`${genuine} 100, 1700000090, 8, "s")`, among(urlToken)],
    [`${genuine} 100, 1700000090, 7, "s")`, () => false],
    [`is_timed_hmac_valid_v0("other", ${agent}, 60, 1700000050)`, () => false]
  ],
  uuidv4: [
    [
      `uuidv4(${agent}) matches "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-"`,
      agentIs(({ length }) => length >= 16)
    ]
  ]
} satisfies { [named: string]: Said[] }

function isPlainGet(text: string) {
  return ({ method, agent }: Visit) => method === 'GET' && agent === text
}
