import { posix } from 'node:path'
import { quoted } from './code.ts'

/** Files by their paths below a project, with `/` between folders. */
export type Files = Record<string, string>

/** What the files of a project are made of: where its scenarios are, and what they ask. */
export type ProjectOptions = {
  /** The folder of scenarios, below the project. */
  scenarios: string
  /** Where the service answers. */
  url: string
  /** Names of headers that requests need, each with the environment variable of its value. */
  headers?: Record<string, string>
}

/** The environment variable that the value of a header is taken from. */
export function variableOf(header: string): string {
  return header.toUpperCase().replaceAll(/\W/g, '_')
}

/** The address, from a folder of the project, of a schema that the package has. */
export function schemaFrom(folder: string, name: string): string {
  const place = posix.join('node_modules/plimsoll/dist/schemas', `${name}.schema.json`)
  return posix.relative(posix.normalize(folder), place)
}

const config = ({ scenarios }: ProjectOptions) => `import { defineConfig } from 'plimsoll'

// What each command would be told again and again; flags win over it.
export default defineConfig({
  scenarios: ${quoted(`./${scenarios}`)},
  targets: { local: ${quoted(`./${scenarios}/target.json`)} },
  target: 'local',
  tier: 'quick',
  // Anything but this machine is asked only by leave: host, authorisedBy, until, requestsPerSecond.
  authorisation: './plimsoll.authorisation.json',
  reporters: ['html', 'junit'],
  out: './reports'
})
`

const workflow = ({ scenarios }: ProjectOptions) => `name: limits
on: [push, pull_request]
permissions:
  contents: read
jobs:
  limits:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 24
      - run: npm ci
      # Start your service here, where ${scenarios}/target.json says: npm start &
      - run: npx plimsoll run
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: limits
          path: reports
`

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/** Where the service is; what it has to be shown stands in the environment. */
export function targetFile({ scenarios, url, headers = {} }: ProjectOptions): string {
  const entries = Object.entries(headers).map(([name, variable]) => [name, `\${${variable}}`])
  const shown = entries.length > 0 ? { headers: Object.fromEntries(entries) } : {}
  return json({
    $schema: schemaFrom(scenarios, 'target'),
    name: 'local',
    endpoints: { service: { url, ...shown } }
  })
}

/** A list of clauses as a file that an editor completes. */
export function clausesFile(scenarios: string, clauses: readonly object[]): string {
  return json({ $schema: schemaFrom(scenarios, 'clauses'), clauses })
}

const example = `import { check, isAnswered } from 'plimsoll'

/** The first of many: what \`clauses.json\` states, asked of the service in \`target.json\`. */
export default check({
  title: 'The service answers, and has no defect at its root',
  clauses: ['service.answers'],
  needs: ['service'],
  async run({ service, verify }) {
    const reply = await service.get('/')
    verify('service.answers', isAnswered(reply) && reply.status < 500, reply)
  }
})
`

/** What a project has whatever it documents: config, target and a workflow. */
export function projectFiles(options: ProjectOptions): Files {
  return {
    'plimsoll.config.ts': config(options),
    [posix.join(options.scenarios, 'target.json')]: targetFile(options),
    '.github/workflows/limits.yml': workflow(options)
  }
}

/** A project without a document: one clause, and the scenario that asks about it. */
export function firstFiles(options: ProjectOptions): Files {
  const { scenarios } = options
  const clause = {
    id: 'service.answers',
    kind: 'rule',
    documented: 'the service answers a GET of its root, whatever the status, below 500'
  }
  return {
    ...projectFiles(options),
    [posix.join(scenarios, 'clauses.json')]: clausesFile(scenarios, [clause]),
    [posix.join(scenarios, 'answers.ts')]: example
  }
}

/** What each file is for, by the end of its path. */
const purposes: Record<string, string> = {
  'plimsoll.config.ts': 'what every command is told',
  'target.json': 'where the service answers',
  'clauses.json': 'what is documented, a clause each',
  'limits.yml': 'the same in CI',
  'answers.ts': 'a scenario, to be written on',
  'samples.yaml': 'what the document does not say: ids, who may ask, values; yours to fill in'
}

/** What a file that was written is for; undefined where its place says it. */
export function purposeOf(path: string): string | undefined {
  return purposes[posix.basename(path)]
}
