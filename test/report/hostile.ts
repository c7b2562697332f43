import fc from 'fast-check'
import type { VerdictRecord } from '../../src/report/record.ts'

/** Strings that have broken reports before: in XML, in HTML, in Markdown, on terminals. */
export const hostile = [
  '\0 \x1b[31mred\x1b[0m \x07 \x7f \x85',
  ']]> <![CDATA[ <!-- --> <?xml?> <!DOCTYPE x>',
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '" onmouseover="alert(1)\' autofocus',
  '</title></style></script></pre></details>',
  '&amp; &lt;b&gt; &#0; &nbsp;',
  '| a | `code` | [x](javascript:alert(1)) | **b** ![i](//h/i.png) |',
  'emoji 👩‍👩‍👧 half \ud83d and \udc69 halves',
  'one\r\ntwo\nthree\rfour\u2028five',
  '\u202Egnp.exe\u2066 \uFFFE \uFFFF',
  '{{process.exit(1)}} #{x} \\ $& $1 \\u0041'
]

/** Any text, with a liking for the hostile. */
export const anyText = fc.oneof(
  fc.constantFrom(...hostile),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) })
)

/** A verdict in which every text a target or a document has a say in is `text`. */
export function says(text: string): VerdictRecord {
  const request = { method: text, url: text, bodyBytes: 1 }
  const exchange = { kind: 'answered', status: 1, phase: 'end', sent: 1 } as const
  const exchanges = [{ ...exchange, because: text, request, excerpt: text }]
  const observation = { clause: text, answered: true, holds: false, observed: text, exchanges }
  return {
    t: 'verdict',
    scenario: text,
    clause: text,
    outcome: 'fail',
    documented: text,
    observed: text,
    because: text,
    evidence: { kind: 'observations', attempts: [[observation]] },
    ms: 1
  }
}
