import { createHash } from 'node:crypto'

const nouns = [
  ...['garden', 'bridge', 'union', 'script', 'table', 'order', 'select', 'list', 'kitchen', 'cat'],
  ...['window', 'river', 'document', 'alert', 'shell', 'root', 'echo', 'image', 'frame', 'object'],
  ...['sleep', 'drop', 'head', 'tail', 'case', 'group', 'index', 'wind', 'cloud', 'stone', 'paper'],
  ...['system', 'wget', 'null', 'true', 'file', 'script', 'onion', 'handler', 'cookie', 'path']
]
const people = [
  "O'Brien",
  "D'Angelo",
  'Müller',
  'José Núñez',
  "N'Diaye",
  'Anne-Marie',
  '李小龍',
  'Zoë'
]
const places = ["Rue de l'Église", 'Hauptstraße', 'Drop Lane', "St. John's Rd", 'Union Street']
const tables = 'users orders products invoices employees cities books rooms songs flights'.split(
  ' '
)
const columns = 'id name price total city created_at size year author'.split(' ')

const prose = [
  'The {n} was quiet; the {m} or the river was not.',
  'Please select a {n} from the {m} and drop it by the door.',
  'Rock or pop = a matter of taste, said {p}; "and jazz" said the {n}.',
  "It's 5 o'clock, and {p}'s {n} isn't ready -- or is it?",
  'I like the {n} & the {m}; id say 100% of us do (1 or 2 do not).',
  'Where is the {n}? Like {p} said: in the {m}.',
  'We had 3 {n}s and 4 {m}s = 7 things; insert coin to continue.',
  'Delete from your mind the {n}; update the {m} set on the shelf.',
  'A {n} and a {m} walk into a bar... and "order by" number #2'
]
const searches = [
  'drop by; insert coin {n}',
  '{n} or {m}',
  'select {n} from {m}',
  'c# {n}',
  'the {n}; the {m}',
  'union {n} select committee',
  '{n} & {m} = love',
  'price < 100 and {n} > 5',
  '"{n}" -{m}'
]
const addresses = [
  '{k}, {l} 12; 2nd floor',
  '{p}, {l} 7/9 & 11',
  'c/o {p} #4, {l}',
  '{l} 3-5 (or 6)'
]
const markdown = [
  '# {n}\n\n- a [link](../{m}/readme.md)\n- **bold** `code`; more\n\n> quote',
  '| {n} | {m} |\n|---|---|\n| 1 | 2 |\n\n---\n* {p}',
  '![{n}](https://img.test/{m}.png "title") and `cat {n}.txt | sort`',
  'Run `npm install {n}` && then `npm test`; see ../../docs/{m}.md'
]
const code = [
  'const {n} = (a, b) => a > 1 && b < 2 ? "x" : \'y\';',
  'for (let i = 0; i < {n}.length; i++) { {m}(i); }',
  "import { {n} } from '../../lib/{m}.ts'",
  'if ({n} == 1 or {m} == 2):\n    print("{n}")\n',
  'await sleep(100); time.sleep(5); {n}.select("{m}")',
  'public static void {n}(String[] args) { System.out.println("{m}"); }',
  '.{n} > a:hover { color: #fff; background: url(/img/{m}.png) }',
  '#!/bin/sh\nset -e\necho "{n}" | sort > {m}.txt\n',
  '{n} = {"{m}": [1, 2, {"a": null}], "b": "it\'s"}'
]
const sql = [
  'SELECT {c}, {d} FROM {t} WHERE {c} = 1 ORDER BY {d};',
  "INSERT INTO {t} ({c}, {d}) VALUES (1, 'a');",
  'CREATE TABLE {t} ({c} INT PRIMARY KEY, {d} TEXT NOT NULL);',
  "UPDATE {t} SET {c} = 2 WHERE {d} LIKE 'a%';",
  'To join tables write SELECT a.{c} FROM {t} a JOIN {t} b ON a.{c} = b.{d} (see below).',
  'How does UNION differ from UNION ALL in SELECT {c} FROM {t} UNION SELECT {d} FROM {t}?',
  'DELETE FROM {t} WHERE {c} IN (SELECT {d} FROM {t});',
  'DROP TABLE IF EXISTS {t}; -- start again with {c}'
]
const documents = [
  '{"user":{"name":"{p}","tags":["{n}","{m}"]},"note":"a \\"quoted\\" {n}; or not"}',
  '{"query":{"select":["{c}"],"from":"{t}","where":{"{d}":{"gt":1}}}}',
  '{"html":"<p>{n} <b>{m}</b></p>","path":"/a/{n}.html"}',
  '{"time":"2026-01-02T03:04:05Z","url":"https://a.test/{n}?x=1&y={m}","n":-1.5e3}'
]

const lists: Record<string, readonly string[]> = {
  n: nouns,
  m: nouns.toReversed(),
  p: people,
  k: people.toReversed(),
  l: places,
  t: tables,
  c: columns,
  d: columns.toReversed()
}

/** The template with its letters replaced, in another way for each number. */
function written(template: string, number: number): string {
  return template.replaceAll(/\{([nmpkltcd])\}/g, (_, letter) => {
    const list = lists[letter]!
    const turn = number + Math.floor(number / list.length)
    return list[(turn * 7 + letter.charCodeAt(0)) % list.length]!
  })
}

function of(templates: readonly string[], each: number): string[] {
  const numbers = Array.from({ length: each }, (_, number) => number)
  const all = templates.flatMap((template) => numbers.map((number) => written(template, number)))
  return [...new Set(all)]
}

const digests = Array.from({ length: 150 }, (_, number) => {
  const digest = createHash('sha512').update(`${number}`).digest()
  return number % 2 ? digest.toString('base64') : digest.toString('base64url')
})

/** Ordinary values by kind: what people write, search for, paste and upload. */
export const ordinary: Record<string, readonly string[]> = {
  prose: of(prose, 40),
  searches: of(searches, 30),
  addresses: [...of(addresses, 40), ...people, ...places],
  markdown: of(markdown, 40),
  code: of(code, 30),
  sql: of(sql, 20),
  documents: of(documents, 40),
  base64: digests
}
