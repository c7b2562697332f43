import { expect, test } from 'vitest'
import { candidates } from '../../src/scenario/candidate.ts'
import { placesOf, quotable } from '../../src/scenario/quotation.ts'

const page = `<!doctype html>
<html><head><title>Up to 9 bytes</title><style>p { max-width: 9 px }</style>
<script>const most = "must <p>8 MB</p>"</script></head>
<body><!-- a name must be <p>7 KB</p> -->
<h2 id='names'>Names &amp; such</h2>
<p class="a > b">A name has up
to&nbsp;<b>40&#32;characters</b>. It must
not be empty &#x2014; ever.</p>
<ul><li>Prices must be positive<li>Tags: at most 5 items</ul>
<h3>Sizes of a plan</h3>
<table><thead><tr><th>plan</th><th>size</th></tr></thead>
<tr><td>free</td><td>1 MB</td></tr>
<tr><th>pro</th><td><p>2
MB</p></td></tr></table>
<pre>a limit of 3 MB
must</pre>
Loose text may end the page.
</body></html>`

const document = quotable(page, 'page')

test('sentences, items and rows of a page are found where they stand', () => {
  expect(candidates(document)).toEqual([
    { section: 'names', line: 6, quote: 'A name has up to 40 characters.' },
    { section: 'names', line: 7, quote: 'It must not be empty — ever.' },
    { section: 'names', line: 9, quote: 'Prices must be positive' },
    { section: 'names', line: 9, quote: 'Tags: at most 5 items' },
    { section: 'sizes-of-a-plan', line: 12, quote: 'free | 1 MB' },
    { section: 'sizes-of-a-plan', line: 13, quote: 'pro | 2 MB' },
    { section: 'sizes-of-a-plan', line: 17, quote: 'Loose text may end the page.' }
  ])
  expect(placesOf('has up to 40 characters', document)).toEqual([
    { section: 'names', lines: '6-7' }
  ])
})

test.each([
  '<p "'.repeat(50_000),
  '<!-- '.repeat(50_000),
  '<script>'.repeat(50_000),
  '<p>'.repeat(50_000),
  `<p ${'a="b" '.repeat(20_000)}>`,
  '&#x110000;&#0;&nothing;',
  '<table><tr><td><tr><td>'.repeat(500)
])('%.20s … is read as well', (hostile) => {
  expect(quotable(`<html>${hostile}`, 'page').passages.length).toBeGreaterThanOrEqual(0)
})
