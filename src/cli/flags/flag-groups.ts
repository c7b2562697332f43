import type { Argv } from 'yargs'

/** Flags by what they are for, in the order in which help shows them; others come last. */
const groups: readonly [title: string, names: readonly string[]][] = [
  [
    'What is sent:',
    [
      ...['method', 'header', 'body', 'cookie', 'user', 'curl', 'har', 'har-page', 'har-host'],
      ...['events', 'until', 'tokens', 'reconnects', 'message', 'answer']
    ]
  ],
  [
    'How much of it:',
    [
      ...['connections', 'rate', 'duration', 'requests', 'pipelining', 'warm-up', 'timeout'],
      ...['precise', 'open', 'limits', 'up-to', 'time']
    ]
  ],
  [
    'What has to hold:',
    [
      ...['p50', 'p90', 'p95', 'p99', 'p999', 'max', 'errors', 'redirects', 'rps'],
      ...['objective', 'budget', 'metric', 'metrics']
    ]
  ],
  [
    'Whom, and by which way:',
    ['target', 'a', 'b', 'a-cmd', 'b-cmd', 'transport', 'http', 'proxy', 'authorisation']
  ],
  ['Over TLS:', ['cacert', 'cert', 'key', 'servername', 'insecure']],
  ['From several machines:', ['fleet', 'agents', 'wait']],
  ['What is expected:', ['expect', 'strict-expectations', 'gate', 'advice', 'require-coverage']],
  [
    'What comes of it:',
    [
      ...['json', 'out', 'reporter', 'tag', 'ui', 'quiet', 'history', 'a-name', 'b-name', 'html'],
      ...['otlp', 'traces', 'prometheus', 'remote-write']
    ]
  ]
]

/** What yargs knows of flags, which its types do not tell. */
type Options = { key: Record<string, unknown>; alias: Record<string, string[]> }

/** The long flags that a parser knows just now, without their dashes. */
export function knownFlags(yargs: Argv<any>): Set<string> {
  const { key, alias } = (yargs as unknown as { getOptions(): Options }).getOptions()
  // The `b` of one command is short for its body, and of another it is a flag.
  const short = new Set(Object.values(alias).flat())
  return new Set(Object.keys(key).filter((name) => !short.has(name) && !/[A-Z]/.test(name)))
}

/** Without `--events`, `--until` is a day, and nothing of what is sent. */
const isMeant = (flag: string, known: Set<string>) => flag !== 'until' || known.has('events')

/** A command's flags in groups, each of those that it has; where it has few they stay together. */
export function grouped<Given>(yargs: Argv<Given>): Argv<Given> {
  const known = knownFlags(yargs)
  const own = groups.map(
    ([title, names]) =>
      [title, names.filter((one) => known.has(one) && isMeant(one, known))] as const
  )
  const filled = own.filter(([, names]) => names.length > 0)
  if (filled.length < fewest) return yargs
  for (const [title, names] of filled) yargs.group([...names], title)
  return yargs
}

/** Fewer groups than this tell nothing apart. */
const fewest = 3
