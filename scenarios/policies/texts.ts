import { check } from 'plimsoll'
import { differences, draft } from '../_policy.ts'
import { item, quoted } from '../_reply.ts'
import { createTally } from '../_tally.ts'
import { judged, live, staying } from './_life.ts'

/** Long texts of each field, to the last character of which something is said. */
const long = {
  description: [90, 250, 1_000, 4_000, 20_000].map((length) => `${'Пл🙂 '.repeat(length / 5)}end.`),
  value: [20, 60, 140].map((count) => `script-src ${hosts(count, '.value.example.test', ' ')} end`),
  expression: [10, 50, 150].map(
    (count) => `http.host in {${hosts(count, '.test"', ' ', '"')} "end"}`
  )
}

/** Texts with something about them that who takes them in might put right. */
const odd = {
  description: [
    ...[
      ' both ends ',
      '\tat the beginning',
      'at the end\n',
      'in  the   middle',
      'line\r\nby\nline'
    ],
    ...[
      '',
      ' ',
      'e\u0301',
      '\u00a0\u2003wide\u3000',
      '\ufeffmark',
      'null',
      'true',
      '0',
      '007',
      '[]'
    ],
    ...['<b>&amp;</b>', '%41%2f+', '\\u0041\\n', '{"a":"b"}', "'; --", '\u202eright to left']
  ],
  value: ["  script-src   'self'  ;; ", "SCRIPT-SRC 'SELF' CDN.Example.TEST/A%2fB"],
  expression: ['  http.host\r\n eq\t "A"  ', '((http.host eq "a"))', 'http.host eq "\\x61\u00e9"']
}

function hosts(count: number, end: string, between: string, begin = '') {
  return Array.from({ length: count }, (_, n) => `${begin}Host-${n}${end}`).join(between)
}

/** Of texts that may be put right: an update keeps what was sent, or has it as it was created. */
const steady: typeof judged = {
  ...staying,
  'policy.update-visible': ({ read, after }, [, changed]) => {
    const created = differences({ ...item(after), action: item(read).action }, item(read))
    const sent = differences(item(after), changed)
    return [created.filter((field) => sent.includes(field)), after]
  }
}

export default check({
  title: 'However long a text of a policy is, or odd, it is kept from its first letter to its last',
  clauses: Object.keys(judged),
  needs: ['management', 'zone'],
  async run(context) {
    const { management, adapter, random } = context
    const zone = (await adapter.zone('enterprise')).id
    const tally = createTally()
    const tell = async (field: string, text: string, clauses: typeof judged) => {
      const policy = { ...draft(random), [field]: text }
      const sent = [policy, { ...policy, action: 'allow' }] as const
      // How long a text may be, and what may be in it, is not said: it is taken or not.
      const life = await live({ management, zone }, sent)
      if (life === undefined) return
      for (const [clause, judge] of Object.entries(clauses)) {
        const [other, reply] = judge(life, sent)
        const asked = `${field} of ${text.length} characters, ${quoted(text.slice(-30))}`
        const saw = other.length > 0 ? `other ${other.join(', ')}` : 'all fields alike'
        tally.add(clause, { asked, holds: other.length === 0, saw, reply })
      }
    }
    for (const [field, texts] of Object.entries(long))
      for (const text of texts) await tell(field, text, judged)
    for (const [field, texts] of Object.entries(odd))
      for (const text of texts) await tell(field, text, steady)
    tally.tell(context)
  }
})
