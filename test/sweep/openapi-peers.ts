// Which constraints that are moved by one unit this project and Portman find, on servers that are
// made from the same file, in the same minutes. A constraint of each operation is moved at a time;
// Portman counts as having found one where any test of its operation fails that holds of the
// server that is as the file says, this project where exactly the clause of it falls.
//
//   npm run sweep:openapi-peers -- --home FOLDER [FLAGS]
//
//   --home FOLDER    where `npm install @apideck/portman@1.33.0 tslib@2` was run
//   --document NAME  one of those in test/openapi/documents; square by default
//   --make NAME      fastify by default: what it refuses it refuses with 400, as Portman expects
//   --samples KIND   what Portman makes requests of: Schema (default) or Example
//   --every N        each N-th round, of all; 5 by default
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { signedIn } from '../openapi/credential.ts'
import { askedHonest, askedRound, imported, isExact, roundsOf } from '../openapi/imported.ts'
import { inlined, type Tree } from '../openapi/inlined.ts'
import { moved } from '../openapi/off-by-one.ts'
import { type Make, serving } from '../openapi/served.ts'
import { flagsOf } from '../usage.ts'

const { values } = flagsOf(import.meta.url, {
  options: {
    home: { type: 'string' },
    document: { type: 'string', default: 'square' },
    make: { type: 'string', default: 'fastify' },
    samples: { type: 'string', default: 'Schema' },
    every: { type: 'string', default: '5' }
  }
})
if (values.home === undefined) throw new Error('--home names a folder with @apideck/portman')
const home = resolve(values.home)
const make = values.make as Make
const tell = (text: string) => process.stdout.write(`${text}\n`)

const contract = ['statusSuccess', 'contentType', 'jsonBody', 'schemaValidation', 'headersPresent']
const enabled = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { enabled: true }]))
const kinds = ['requiredFields', 'minimumNumberFields', 'maximumNumberFields']
const fuzzing = enabled([...kinds, 'minLengthFields', 'maxLengthFields'])
const places = ['requestBody', 'requestQueryParams', 'requestHeaders']
const openApiOperation = '*::/*'
const refused = { statusCode: { enabled: true, code: 400 } }

/** All that Portman asks by itself: the contract of each answer, and its fuzzing of each field. */
const config = {
  version: 1,
  globals: { securityOverwrites: { bearer: { token: signedIn.authorization.slice(7) } } },
  tests: {
    contractTests: contract.map((name) => ({ openApiOperation, ...enabled([name]) })),
    variationTests: [
      {
        openApiOperation,
        variations: [
          {
            name: 'fuzz',
            fuzzing: [Object.fromEntries(places.map((place) => [place, [fuzzing]]))],
            tests: { contractTests: [refused] }
          }
        ]
      }
    ]
  }
}

/** The requests and tests that Portman makes of a document. */
function collectionOf(name: string): Tree {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-portman-'))
  const names = ['config.json', 'postman.json', 'collection.json']
  const [settings, postman, out] = names.map((one) => join(folder, one))
  writeFileSync(settings!, JSON.stringify(config))
  const resolution = {
    requestParametersResolution: values.samples,
    parametersResolution: 'Example'
  }
  writeFileSync(postman!, JSON.stringify({ ...resolution, enableOptionalParameters: false }))
  const file = resolve(import.meta.dirname, `../openapi/documents/${name}.json`)
  const words = [
    '-l',
    file,
    '-b',
    'http://127.0.0.1:9',
    '-c',
    settings!,
    '-s',
    postman!,
    '-o',
    out!
  ]
  const portman = join(home, 'node_modules/@apideck/portman/bin/portman')
  execFileSync(process.execPath, [portman, ...words], { cwd: home, stdio: 'pipe' })
  const collection = JSON.parse(readFileSync(out!, 'utf8'))
  rmSync(folder, { recursive: true })
  signIn(collection)
  return collection
}

/** Has every request signed in as the whole is, and not by a flow of OAuth, which no test has. */
function signIn(folder: Tree): void {
  for (const one of folder.item) {
    if (one.item) signIn(one)
    else delete one.request.auth
  }
}

const newman = createRequire(join(home, 'package.json'))('newman')

/** The tests that fail of a server, each with the operation it is of: `POST /v2/cards`. */
async function failures(collection: Tree, document: Tree): Promise<Map<string, Set<string>>> {
  await using server = await serving(make, document)
  const envVar = [{ key: 'baseUrl', value: server.url }]
  const variable = collection.variable.map((one: Tree) =>
    one.key === 'baseUrl' ? { ...one, value: server.url } : one
  )
  const { promise, resolve: done, reject } = Promise.withResolvers<Tree>()
  const options = { collection: { ...collection, variable }, envVar, timeoutRequest: 10_000 }
  newman.run(options, (fault: Error | null, summary: Tree) =>
    fault ? reject(fault) : done(summary)
  )
  const { run } = await promise
  const found = new Map<string, Set<string>>()
  for (const { item, requestError, assertions = [] } of run.executions) {
    const { method, url } = item.request
    const path = url.path.map((one: string) => one.replace(/^:(.*)$/, '{$1}')).join('/')
    const operation = `${method} /${path}`
    const those = found.get(operation) ?? new Set()
    found.set(operation, those)
    if (requestError) those.add(`${item.name}: no answer`)
    for (const { assertion, error } of assertions) {
      if (error) those.add(`${item.name}: ${assertion}`)
    }
  }
  return found
}

/** The last word of a clause's id, which is what was moved. */
const kindOf = (id: string) => id.replace(/-\d+$/, '').split('.').at(-1)!

const collection = collectionOf(values.document!)
using those = await imported(values.document!)
const honest = await askedHonest(those, make)
const usual = await failures(collection, inlined(those.source).document)
const unserved = [...usual.values()].flatMap((tests) =>
  [...tests].filter((test) => !test.includes('[fuzz]') && /Status code is 2xx/i.test(test))
)
tell(`${values.document} by ${make}, as the file says, refuses ${unserved.length} of its requests`)
if (Number(values.every) === 0) process.exit()

const { rounds } = roundsOf(those, ({ id }) => honest.get(id)?.outcome === 'pass')
const counts = new Map<string, { moves: number; plimsoll: number; portman: number }>()
for (const round of rounds.filter((_, index) => index % Number(values.every) === 0)) {
  const results = await askedRound(those, { make, round, honest })
  const document = moved(
    those.source,
    round.map(({ move }) => move)
  )
  const found = await failures(collection, document)
  for (const result of results) {
    const { section = '', id } = result.clause
    const known = usual.get(section) ?? new Set()
    const isFound = [...(found.get(section) ?? [])].some((one) => !known.has(one))
    const count = counts.get(kindOf(id)) ?? { moves: 0, plimsoll: 0, portman: 0 }
    counts.set(kindOf(id), count)
    count.moves += 1
    count.plimsoll += isExact(result) ? 1 : 0
    count.portman += isFound ? 1 : 0
  }
}
const all = { moves: 0, plimsoll: 0, portman: 0 }
tell('| moved | moves | Plimsoll | Portman |\n| --- | --- | --- | --- |')
for (const [kind, count] of [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
  tell(`| ${kind} | ${count.moves} | ${count.plimsoll} | ${count.portman} |`)
  for (const name of ['moves', 'plimsoll', 'portman'] as const) all[name] += count[name]
}
tell(`| all | ${all.moves} | ${all.plimsoll} | ${all.portman} |`)
