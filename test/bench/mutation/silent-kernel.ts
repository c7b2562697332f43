import type { Equivalence } from './equivalent.ts'

/** What the document says nothing of in the kernel, place by place. */
const kernel = 'src/platform/kernel/'

const door =
  'the control listener is a door of ours, for adapters: no document speaks of it; ' +
  'test/platform judges it'
const start =
  'how a platform of ours is started, where its listeners are, and how it tells so: a target is ' +
  'told by a file'
const failures =
  'the document shows neither the statuses nor the errors of a failure: only that success and ' +
  'errors tell it'

/** Faults in the kernel where the document is silent, and why it is. */
export const silentKernel: readonly Equivalence[] = [
  ...['control', 'control-call', 'http/lock', 'figures'].map((name) => ({
    file: `${kernel}${name}.ts`,
    because: door
  })),
  ...['api/wrong-operation', 'override'].map((name) => ({
    file: `${kernel}${name}.ts`,
    because: 'only a platform that is broken on purpose runs it, and these are not'
  })),
  {
    file: `${kernel}nearest.ts`,
    because: 'which names the words of a refusal suggest: the document shows no words'
  },
  {
    file: `${kernel}data/filed.ts`,
    because: 'only a platform with --data runs it, which no document speaks of'
  },
  {
    file: `${kernel}data/database.ts`,
    line: /PRAGMA|throwIfNoEntry|found\?|; ROLLBACK|instanceof Error|ersion(\(| >)|isTransaction/,
    because: 'files of a data folder, and a disk that is full: no document speaks of either'
  },
  {
    file: `${kernel}store.ts`,
    line: /folder|filed|foreign_keys|losses|close|statements/,
    because: 'files of a data folder, statements that are prepared twice, and the end of a platform'
  },
  {
    file: `${kernel}egress/address.ts`,
    operators: ['always', 'drop-branch', 'skip-write', 'negate', 'drop-property'],
    line: /bits === undefined|list\.addSubnet|if \(found\)|=> \(\{ kind/,
    before: /^(?!list\.addAddress|, holds)/,
    after: /^(?!!\(bits)/,
    because: 'what is kept from being reached is a guard of ours: test/platform judges it'
  },
  {
    file: `${kernel}egress/egress.ts`,
    operators: ['drop-branch', 'negate'],
    line: /ownPorts\.has|kind === undefined/,
    after: /^(\((ownPorts\.has\(to\.port\)|allowed\.some[\s\S]*)\)|!==)$/,
    because: 'what is kept from being reached is a guard of ours: test/platform judges it'
  },
  {
    file: `${kernel}http/listener.ts`,
    operators: ['number'],
    line: /onMalformed\((408|405)\)/,
    because: 'what is answered to who sends too slowly, or to CONNECT, is not said'
  },
  {
    file: `${kernel}http/pace.ts`,
    after: /^\(came < least\)$/,
    because: 'how slowly a body may come is not said'
  },
  {
    file: `${kernel}schema.ts`,
    operators: ['number'],
    line: /version: \d/,
    because: 'a step has a number so that it is taken once: which one is seen in a data folder only'
  },
  {
    file: `${kernel}extension.ts`,
    line: /return \{ name|value === undefined/,
    because: 'what is said to who writes a part that asks for what no other offers'
  },
  {
    file: 'src/platform/platform.ts',
    line: /options\.|moved|losses|close|toReversed|randomBytes|offset|words|isRepaired|filed/,
    before: /^(?!\.{3}\{ rules|rules: |store|time|egress)/,
    because: start
  },
  {
    file: 'src/platform/platform.ts',
    line: /announcement|addresses|controlToken|l\.credentials|byName|listMutants|\[name, v|isNear/,
    because: start
  },
  {
    file: 'src/platform/platform.ts',
    before: /^(, now: )?time\.now\(\)$/,
    because: 'since when a zone is there that the control listener makes is said nowhere'
  },
  {
    file: 'src/platform/parts.ts',
    line: /filed|folders|jsonColumns/,
    because: 'files of a data folder'
  },
  {
    file: `${kernel}schema.ts`,
    line: /kernelJsonColumns/,
    because: 'how a data folder is repaired: no document speaks of one'
  },
  {
    file: `${kernel}schema.ts`,
    line: /throw|steps\b|shared/,
    because: 'a guard against two parts that give out the same number, for those who write parts'
  },
  {
    file: `${kernel}seed.ts`,
    line: /began|'(free|pro|business|enterprise)'|Object\.assign|DELETE|ownTables/,
    because: 'which zones a platform of ours begins with, and since when, is promised nowhere'
  },
  {
    file: `${kernel}plan.ts`,
    because: `the order in which plans are named, and of which plans ${door}`
  },
  {
    file: `${kernel}credential.ts`,
    operators: ['drop-property'],
    because: start
  },
  ...['id', 'credential', 'time'].map((name) => ({
    file: `${kernel}${name}.ts`,
    operators: ['number'],
    because:
      'how long ids and secrets are, and a millisecond of the clock: of ids the document says ' +
      'that they are hexadecimal, and no more'
  })),
  {
    file: `${kernel}zone.ts`,
    line: /protocol|canParse|\bdot\b|rowid|\.\.\.zone|origin, id/,
    because: `${door}; that a zone has hosts below its own is said nowhere either`
  },
  {
    file: `${kernel}credential.ts`,
    operators: ['stale'],
    because: 'a secret that was handed out stays as it is'
  },
  {
    file: `${kernel}time.ts`,
    before: /ahead|^now\(\)$/,
    after: /^(\(0\)|;|\(\(kept[\s\S]*)$/,
    because: `only the control listener moves the clock: ${door}`
  },
  {
    file: `${kernel}zone.ts`,
    after: /^\(null\)$/,
    because: `only the control listener gives a zone an origin: ${door}`
  },
  {
    file: `${kernel}zone.ts`,
    operators: ['stale'],
    because: 'a zone changes its plan and its origin only by the control listener'
  },
  {
    file: `${kernel}security-event.ts`,
    line: /mostKept|forget|ORDER BY|\?\? 0|store\.all|const last/,
    because: 'how many security events are kept, and how the control listener tells them: not said'
  },
  { file: `${kernel}api/failure.ts`, operators: ['number', 'first-only'], because: failures },
  {
    file: `${kernel}api/failure.ts`,
    operators: ['drop-property', 'swap-arguments'],
    before: /code|message|error_chain|Allow|\d, \d/,
    because: failures
  },
  { file: `${kernel}api/failure.ts`, line: /this\.(status|headers) =/, because: failures },
  {
    file: `${kernel}api/envelope.ts`,
    before: /^(200|result: null,\s*|, headers)$/,
    because: `${failures}; of a success no status is shown either, but that it is one`,
    after: /^(201|)$/
  },
  {
    file: `${kernel}api/envelope.ts`,
    before: /^(status(: 200)?,\s*|info && \{ result_info: info \})$/,
    after: /^(|\(\{ result_info: info \}\))$/,
    because: `${failures}; a member that is undefined is not sent`
  },
  {
    file: `${kernel}api/paging.ts`,
    operators: ['boundary'],
    before: /^>$/,
    because: 'the largest size of a page is not shown'
  },
  {
    file: `${kernel}api/paging.ts`,
    line: /value < 1|Number\(text\)/,
    operators: ['drop-guard', 'drop-branch', 'number'],
    after: /^(?!\(0\)$|2$)/,
    because: 'what becomes of a page that is none is not shown, nor the largest size of one'
  },
  {
    file: `${kernel}api/body.ts`,
    line: /content-length|> limitBytes|destroyOnRe|fatal: true|instanceof Failure|slice\(0, 100/,
    operators: ['drop-guard', 'boundary', 'drop-branch', 'number', 'drop-property', 'negate'],
    before: /^(?!(?:bytes|Number\(.*) > limitBytes$|open\.at|1$)/,
    because: 'the document says nothing of large, broken off or mis-encoded bodies of its calls'
  },
  {
    file: `${kernel}api/body.ts`,
    line: /Names|__proto__|(has|add)\(name\)|matchAll|slice\(0|'\}'|typeof value|issue\) \?/,
    operators: [
      'drop-guard',
      'drop-branch',
      'first-only',
      'skip-write',
      'number',
      'swap-arguments'
    ],
    before: /^(?!1$)/,
    because: 'of bodies that name a member twice or are no object nothing is said, nor any words'
  },
  {
    file: `${kernel}api/body.ts`,
    operators: ['always', 'negate', 'drop-branch', 'number', 'stale'],
    line: /token === |let bytes = 0|getDotPath/,
    because: 'of names that are there twice nothing is said, nor of large bodies, nor any words'
  },
  {
    file: `${kernel}api/body.ts`,
    operators: ['drop-guard'],
    line: /application\\\/json/,
    because: 'what becomes of a body that is declared to be something else is not said'
  },
  {
    file: `${kernel}egress/egress.ts`,
    operators: ['drop-property', 'drop-guard', 'negate', 'first-only', 'number', 'swap-arguments'],
    line: /resolve\(asked|if \(error\)|judged|address, name, port: place|open\b.*(found|then)/,
    because: 'names are looked up beyond this machine only, where nothing that asks may reach'
  },
  {
    file: `${kernel}egress/egress.ts`,
    operators: ['number', 'drop-branch', 'negate', 'drop-property'],
    line: /=== 'https:' \? 443|const own: Allow|guard\(\{ \.\.\.parts, allowed/,
    before: /^(?!host: plain|, port: Number)/,
    after: /^(?!\(\(protocol)/,
    because: 'the port that HTTPS has by itself, and nodes named on the command line'
  },
  {
    file: 'src/platform/management/management.ts',
    operators: ['drop-property'],
    line: /app\.options\(/,
    because: 'what is answered to OPTIONS is not said'
  }
]
