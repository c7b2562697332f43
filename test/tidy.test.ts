import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join, relative, resolve, sep } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** Which folders of src a folder may import, besides itself and what stands in src itself. */
const mayImport: Record<string, string[]> = {
  statistics: [],
  target: [],
  client: ['target'],
  servers: ['client'],
  load: [],
  limit: ['client', 'load', 'target'],
  app: ['client', 'limit'],
  verdict: ['client', 'limit', 'load', 'statistics'],
  scenario: ['client', 'limit', 'load', 'target', 'verdict'],
  tampering: ['client', 'target'],
  engine: ['client', 'limit', 'load', 'scenario', 'tampering', 'target', 'verdict'],
  fleet: ['engine', 'load', 'target'],
  report: ['client', 'limit', 'load', 'scenario', 'verdict'],
  publish: ['limit', 'report', 'scenario', 'verdict'],
  import: ['scenario'],
  cli: [
    ...['client', 'engine', 'fleet', 'import', 'limit', 'load', 'platform'],
    ...['publish', 'report', 'scenario', 'statistics', 'tampering', 'target', 'verdict']
  ],
  platform: []
}

/** The one file each of these packages is imported by, beside tests. */
const onlyIn: Record<string, RegExp> = {
  piscina: /^src\/engine\/threads\.ts$/,
  'p-queue': /^src\/engine\/queue\.ts$/,
  bullmq: /^src\/fleet\/(agent|dispatch)\.ts$/,
  ioredis: /^src\/fleet\/[\w-]+\.ts$/,
  yargs: /^src\/(main|cli\/[\w/-]+)\.ts$/,
  autocannon: /^src\/load\/transports\/\w+\.ts$/,
  'hdr-histogram-js': /^src\/(load|report)\/[\w/-]+\.ts$/
}

/** Files that are run, not imported. */
const entrances = [
  ...['src/launch.js', 'src/main.ts', 'src/plimsoll.ts', 'src/vitest.ts'],
  ...['src/cli/declarations.ts', 'src/cli/json-schemas.ts']
]

const bannedFiles = /^(utils?|helpers?|common|types?|index|base|manager|misc|lib|shared)\.[jt]s$/
const bannedWords = /\b(TODO|FIXME|XXX|HACK)\b/
const bannedPlaces = /(?<![\w.])\/(work|home|root|Users|tmp)\//
const bannedNames = /\b(\w*(Helper|Manager|Util|Utils|Runner))\b/

function filesBelow(folder: string): string[] {
  const place = join(root, folder)
  if (!existsSync(place)) return []
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ['.ts', '.js'].includes(extname(entry.name)))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
}

/** What the test of the READMEs writes for the compiler, and takes away again. */
const isPassing = (file: string) => /\/readme-\w{6}\//.test(file)

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const source = filesBelow('src')
const scenarios = filesBelow('scenarios')
const tests = filesBelow('test').filter((file) => !isPassing(file))
const all = [...source, ...scenarios, ...tests]

/** What a file imports: relative ones as paths from the root, packages by name. */
function importsOf(file: string): string[] {
  const text = read(file)
  const found = [
    ...text.matchAll(
      /(?:^|\n)\s*(?:import|export)\b[^'"\n;]*?(?:\{[^}]*\}[^'"\n]*?)?from '([^']+)'/g
    ),
    ...text.matchAll(/\bimport\(['"`]([^'"`]+)['"`]\)/g),
    ...text.matchAll(/(?:^|\n)import ['"]([^'"]+)['"]/g),
    // A worker or a module that is named by its place, or comes in by any other way.
    ...text.matchAll(/new URL\([`']([^`']+)[`'], import\.meta\.url\)/g),
    ...text.matchAll(/['"`](\.\.?\/[^'"`\s$]+\.[jt]s)['"`]/g)
  ]
  return found.map(([, specifier]) => {
    const named = specifier!.replace(/\$\{.*\}$/, '.ts')
    return named.startsWith('.')
      ? relative(root, resolve(root, dirname(file), named))
          .split(sep)
          .join('/')
      : named
  })
}

const folderOf = (file: string) => file.split('/')[1]!

/** Every place in `files` whose line is matched, as `file:line`. */
function places(files: readonly string[], isWrong: (line: string) => boolean): string[] {
  return files.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, index) => (isWrong(line) ? [`${file}:${index + 1}`] : []))
  )
}

/** Files that import each other since the rules of a language do. */
const grammar = [
  ['call.ts', 'parse.ts', 'term.ts'],
  ['compile.ts', 'source.ts']
].map((names) => names.map((name) => `src/platform/expression/${name}`))

/** What stands at the head of a file; what is imported when it is wanted closes no circle. */
function statedImports(file: string): string[] {
  const stated = [...read(file).matchAll(/^(?:import|export)\b[^'"]*? from '(\.[^']+)'/gm)]
  return stated.map(([, path]) => relative(root, resolve(root, dirname(file), path!)))
}

describe('who imports whom', () => {
  test.each(source.filter((file) => file.split('/').length > 2))('%s', (file) => {
    const folder = folderOf(file)
    expect(mayImport, `give src/${folder} a row in the import table`).toHaveProperty(folder)
    const foreign = importsOf(file)
      .filter((target) => target.startsWith('src/') && target.split('/').length > 2)
      .map(folderOf)
      .filter((target) => target !== folder && !mayImport[folder]!.includes(target))
    expect(foreign).toEqual([])
  })

  test('what stands in src itself, and is for all, imports no folder', () => {
    const strays = source
      .filter((file) => file.split('/').length === 2 && !entrances.includes(file))
      .flatMap((file) =>
        importsOf(file)
          .filter((target) => target.startsWith('src/') && target.split('/').length > 2)
          .map((target) => `${file} imports ${target}`)
      )
    expect(strays).toEqual([])
  })

  test('nothing in src comes in by the door of scenarios', () => {
    const isDoor = (target: string) => target === 'plimsoll' || target === 'src/plimsoll.ts'
    const mayOpen = ['src/scenario/door.ts']
    const strays = source.filter((file) => importsOf(file).some(isDoor) && !mayOpen.includes(file))
    expect(strays).toEqual([])
  })

  test('the harness knows no endpoint of our document', () => {
    // Those who start the platform say where its listeners are.
    const mayKnow = /^src\/(platform\/|cli\/(commands\/platform|targets\/embedded)\.ts$)/
    const ours = /['"`.](management|gateway)\b|\b(management|gateway)\??:|'edge'|\.edge\b/
    const harness = source.filter((file) => !mayKnow.test(file))
    expect(places(harness, (line) => ours.test(line))).toEqual([])
  })

  test('nor a table that its targets have', () => {
    const mayKnow = /^src\/(platform\/|cli\/(commands\/platform|targets\/embedded)\.ts$)/
    const ours = /\b(zones?|credentials|disposableZone)\b/i
    const harness = source.filter((file) => !mayKnow.test(file))
    expect(places(harness, (line) => ours.test(line))).toEqual([])
  })

  test('packages are used where they earn their keep, and nowhere else', () => {
    const strays = source.flatMap((file) =>
      importsOf(file)
        .map((name) => name.replace(/\/.*$/, ''))
        .filter((name) => name in onlyIn && !onlyIn[name]!.test(file))
        .map((name) => `${file} imports ${name}`)
    )
    expect(strays).toEqual([])
  })

  test('only the command line and the tests touch the platform', () => {
    const strays = [...source, ...scenarios].filter(
      (file) =>
        !file.startsWith('src/platform/') &&
        !file.startsWith('src/cli/') &&
        importsOf(file).some((target) => target.startsWith('src/platform/'))
    )
    expect(strays).toEqual([])
  })

  test('scenarios import plimsoll, Node and their own parts, nothing else', () => {
    const strays = scenarios.flatMap((file) =>
      importsOf(file)
        .filter((target) => !/^(plimsoll$|node:|scenarios\/)/.test(target))
        .map((target) => `${file} imports ${target}`)
    )
    expect(strays).toEqual([])
  })

  test('files import each other in no circle, but for the recursion of a grammar', () => {
    expect(circlesAmong([...source, ...scenarios], statedImports)).toEqual(grammar)
  })

  test('no file is an orphan', () => {
    const reached = new Set([...source, ...scenarios].flatMap(importsOf))
    const isEntrance = (file: string) => entrances.includes(file)
    const orphans = source.filter((file) => !reached.has(file) && !isEntrance(file))
    expect(orphans).toEqual([])
  })

  test('each test stands where the file it tests does', () => {
    const homeless = tests
      .filter((file) => file.endsWith('.test.ts') && file.split('/').length > 2)
      .filter((file) => !/^test\/(end-to-end|bench)\//.test(file))
      .filter((file) => !existsSync(join(root, dirname(file.replace(/^test/, 'src')))))
    expect(homeless).toEqual([])
  })
})

describe('the map', () => {
  const map = read('ARCHITECTURE.md')

  test('its folders are those of src, and its table is the one that is held', () => {
    const rows = [...map.matchAll(/^\| `(\w+)` \| [^|]+ \| ([^|]+) \|$/gm)]
    const told = rows.map(([, folder, allowed]): [string, string[]] => {
      if (allowed === 'all of them') return [folder!, mayImport[folder!]!]
      return [folder!, allowed === '–' ? [] : allowed!.split(', ')]
    })
    expect(Object.fromEntries(told)).toEqual(mayImport)
    const folders = new Set(
      source.filter((file) => file.split('/').length > 2).map((file) => folderOf(file))
    )
    expect(told.map(([folder]) => folder).sort()).toEqual([...folders].sort())
  })

  test('a path it names is there', () => {
    const paths = [...map.matchAll(/`([\w-]+\/[\w./-]+\.ts)`/g)].map(([, path]) => path!)
    const places = ['', 'src/', 'src/platform/', 'src/platform/functions/']
    const lost = paths.filter(
      (path) => !places.some((place) => existsSync(join(root, place, path)))
    )
    expect(lost).toEqual([])
  })
})

describe('sizes', () => {
  test('a file fits 300 lines', () => {
    const long = all.filter((file) => read(file).trimEnd().split('\n').length > 300)
    expect(long.filter((file) => !file.endsWith('.test.ts'))).toEqual([])
  })

  test('a scenario fits 140 lines: more stands beside it, in files that begin with _', () => {
    const long = all.filter(
      (file) =>
        /^scenarios\/.*\/(?!_)[^/]+\.ts$/.test(file) &&
        read(file).trimEnd().split('\n').length > 140
    )
    expect(long).toEqual([])
  })

  test('a line fits 100 columns', () => {
    expect(places(all, (line) => [...line].length > 100)).toEqual([])
  })
})

describe('words', () => {
  test('files are named after what they hold', () => {
    expect(all.filter((file) => bannedFiles.test(file.split('/').at(-1)!))).toEqual([])
  })

  test('nothing is left for later, and no machine is named', () => {
    const own = (file: string) => file !== 'test/tidy.test.ts'
    expect(places(all.filter(own), (line) => bannedWords.test(line))).toEqual([])
    expect(places(all.filter(own), (line) => bannedPlaces.test(line))).toEqual([])
  })

  test('a type of the harness has a name of its own', () => {
    const places = new Map<string, string[]>()
    for (const file of source.filter((one) => !one.startsWith('src/platform/'))) {
      for (const [, name] of read(file).matchAll(/^export (?:type|interface|class) (\w+)/gm)) {
        places.set(name!, [...(places.get(name!) ?? []), file])
      }
    }
    const doubled = [...places].filter(([, files]) => files.length > 1)
    expect(doubled.map(([name, files]) => `${name}: ${files.join(', ')}`)).toEqual([])
  })

  test('names say what a thing is', () => {
    expect(places([...source, ...scenarios], (line) => bannedNames.test(line))).toEqual([])
  })

  test('every exported name is explained', () => {
    const exported = /^export (?:async )?(?:const|function\*?|type|class|let) \w/
    const bare = source.flatMap((file) => {
      const lines = read(file).split('\n')
      return lines.flatMap((line, index) =>
        exported.test(line) && !/(\*\/|^\/\/.*)$/.test(lines[index - 1] ?? '')
          ? [`${file}:${index + 1}`]
          : []
      )
    })
    expect(bare).toEqual([])
  })

  test('only the command line prints', () => {
    const silent = source.filter((file) => !/^src\/(cli|main|launch)/.test(file))
    expect(places(silent, (line) => /\bconsole\.|process\.stdout\.write/.test(line))).toEqual([])
  })
})

describe('within the platform', () => {
  /** What a part may import beside the kernel; one that is not named here, nothing. */
  const partMayImport: Record<string, string[]> = {
    edge: ['expression'],
    logpush: ['edge'],
    'page-protection': ['edge', 'expression', 'logpush'],
    waf: ['edge', 'expression'],
    functions: ['edge', 'logpush']
  }
  const inPlatform = source.filter((file) => file.startsWith('src/platform/'))
  const roomOf = (file: string) => file.split('/')[2]!
  const inner = inPlatform.filter((file) => file.split('/').length > 3)
  const arrows = (file: string) =>
    importsOf(file).filter((target) => target.startsWith('src/platform/'))

  test('the kernel knows no part', () => {
    const strays = inner
      .filter((file) => roomOf(file) === 'kernel')
      .flatMap((file) => arrows(file).filter((target) => roomOf(target) !== 'kernel'))
    expect(strays).toEqual([])
  })

  test('parts import the kernel, and of each other what the table allows', () => {
    const rooms = new Set(inner.map(roomOf))
    expect(Object.keys(partMayImport).filter((room) => !rooms.has(room))).toEqual([])
    const strays = inner
      .filter((file) => roomOf(file) !== 'kernel')
      .flatMap((file) => {
        const allowed = ['kernel', roomOf(file), ...(partMayImport[roomOf(file)] ?? [])]
        const foreign = arrows(file).filter((target) => !allowed.includes(roomOf(target)))
        return foreign.map((target) => `${file} imports ${target}`)
      })
    expect(strays).toEqual([])
  })

  test('mutants are imported by nothing that is at work', () => {
    const isMutant = (file: string) => /\/mutants(\/|\.ts$)/.test(file)
    const isWay = (file: string) => /^src\/platform\/(mutants|platform)\.ts$/.test(file)
    const statically = /(?:^|\n)(?:import|export)\b[^'"\n;]*?(?:\{[^}]*\}[^'"\n]*?)?from '([^']+)'/g
    const strays = inPlatform
      .filter((file) => !isMutant(file) && !isWay(file))
      .flatMap((file) =>
        [...read(file).matchAll(statically)]
          .filter(([, specifier]) => isMutant(specifier!))
          .map(([, specifier]) => `${file} imports ${specifier}`)
      )
    expect(strays).toEqual([])
  })

  test('nor is there a circle by what is imported when it is wanted', () => {
    expect(circlesAmong(inPlatform, importsOf)).toEqual(grammar)
  })
})

/** The circles in which files import each other, each in the order of their names. */
function circlesAmong(files: readonly string[], targetsOf: (file: string) => string[]): string[][] {
  const targets = new Map(files.map((file) => [file, targetsOf(file)]))
  const reach = (from: string): Set<string> => {
    const reached = new Set<string>()
    const open = [...targets.get(from)!]
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      if (reached.has(file) || !targets.has(file)) continue
      reached.add(file)
      open.push(...targets.get(file)!)
    }
    return reached
  }
  const reached = new Map(files.map((file) => [file, reach(file)]))
  const circles = files
    .filter((file) => reached.get(file)!.has(file))
    .map((file) =>
      files.filter((other) => reached.get(file)!.has(other) && reached.get(other)!.has(file))
    )
  return [...new Map(circles.map((circle) => [circle[0]!, circle])).values()]
}
