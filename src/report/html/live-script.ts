/**
 * The script of the page that shows a run while it goes on: takes the lines that the command sends,
 * counts, draws loads, and goes to the report once there is one. Whatever a target said is only
 * ever put in as text.
 */
export const liveScript = `
const find = (id) => document.getElementById(id)
const sections = new Map()
const worst = new Map()
const loads = new Map()
const order = ['fail', 'warning', 'error', 'inconclusive', 'blocked', 'changed', 'deviation',
  'pass', 'observed', 'inapplicable']
const began = Date.now()

function make(name, text, className) {
  const element = document.createElement(name)
  if (text !== undefined) element.textContent = text
  if (className) element.className = className
  return element
}

function drawn(name, attributes) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  return element
}

function bar(outcomes, total) {
  const svg = drawn('svg', { width: '100%', height: 8, 'aria-hidden': 'true' })
  let from = 0
  for (const outcome of order) {
    const count = outcomes.filter((one) => one === outcome).length
    if (count === 0) continue
    const place = { x: (100 * from) / total + '%', width: (100 * count) / total + '%' }
    svg.append(drawn('rect', { ...place, height: '100%', class: outcome }))
    from += count
  }
  return svg
}

function count() {
  const outcomes = [...worst.values()]
  const told = order.map((outcome) => {
    const many = outcomes.filter((one) => one === outcome).length
    return many > 0 && make('span', many + ' ' + outcome, 'share ' + outcome)
  })
  find('tally').replaceChildren(...told.filter(Boolean))
  find('sections').replaceChildren(
    ...[...sections].map(([name, clauses]) => {
      const judged = clauses.flatMap((id) => worst.get(id) ?? [])
      const line = make('li')
      line.append(make('b', name + ' '), make('small', judged.length + ' of ' + clauses.length))
      line.append(bar(judged, clauses.length))
      return line
    })
  )
}

function curve(values, className, highest) {
  const points = values.map((value, at) => {
    const x = (100 * at) / Math.max(1, values.length - 1)
    return x.toFixed(2) + ',' + (100 - (100 * (value ?? 0)) / highest).toFixed(2)
  })
  return drawn('polyline', { points: points.join(' '), class: className })
}

// A rate of now is that of the last seconds: a window alone has too few of a low one.
const nowMs = 5000

function drawLoad({ figure, windows }) {
  const seconds = (one) => Math.max(0.001, (one.toMs - one.fromMs) / 1000)
  const rates = windows.map((one, at) => {
    const lately = windows.slice(Math.max(0, at - 40), at + 1)
    const those = lately.filter(({ fromMs }) => fromMs >= one.toMs - nowMs)
    const finished = those.reduce((sum, { finished }) => sum + finished, 0)
    return finished / seconds({ fromMs: those[0]?.fromMs ?? one.fromMs, toMs: one.toMs })
  })
  const failed = windows.map((one) => one.failed / seconds(one))
  const tails = windows.map(({ p99Us }) => p99Us)
  const last = windows.at(-1)
  const rate = Math.round(rates.at(-1)).toLocaleString('en')
  const tail = last.p99Us === null ? '–' : (last.p99Us / 1000).toPrecision(3) + ' ms'
  const [caption, svg, axis] = figure.children
  const most = (values) => Math.max(...values).toPrecision(3)
  axis.textContent = Math.round(windows[0].fromMs / 1000) + ' to ' + Math.round(last.toMs / 1000) +
    ' s, at most ' + Number(most(rates)) + ' a second and p99 ' +
    Number(most(tails.map((us) => us / 1000))) + ' ms'
  caption.replaceChildren(
    make('b', figure.dataset.name + ' '),
    make('span', rate + ' a second', 'key response'),
    make('span', 'p99 ' + tail, 'key service'),
    make('span', last.failed + ' failed', 'key failed'),
    make('span', last.inFlight + ' in flight')
  )
  svg.replaceChildren(
    curve(rates, 'response', Math.max(...rates) * 1.1 || 1),
    curve(failed, 'failed', Math.max(...rates) * 1.1 || 1),
    curve(tails, 'service', Math.max(...tails) * 1.1 || 1)
  )
}

const tones = ['response', 'service', 'failed']

function drawPoints({ figure, points, text }) {
  const names = Object.keys(points[0])
  const told = points.flatMap((one) => names.map((name) => one[name])).filter((one) => one !== null)
  const [low, high] = [Math.min(...told), Math.max(...told)]
  const pad = (high - low) * 0.05 || 1
  const [caption, svg] = figure.children
  caption.replaceChildren(
    make('b', figure.dataset.name + ' '),
    ...names.map((name, at) => make('span', name, 'key ' + tones[at])),
    make('span', text)
  )
  svg.replaceChildren(
    ...names.map((name, at) => {
      const values = points.map((one) => (one[name] ?? high) - low + pad)
      return curve(values, tones[at], high - low + 2 * pad)
    })
  )
}

function loadOf(name) {
  if (!loads.has(name)) {
    const figure = make('figure', undefined, 'curve')
    figure.dataset.name = name
    const frame = { viewBox: '0 0 100 100', preserveAspectRatio: 'none', 'aria-hidden': 'true' }
    figure.append(make('figcaption', name), drawn('svg', { ...frame, width: '100%', height: 140 }))
    figure.append(make('small'))
    find('loads').append(figure)
    loads.set(name, { figure, windows: [], points: [] })
  }
  return loads.get(name)
}

const takes = {
  header: ({ name }) => (find('target').textContent = 'on ' + name),
  clause({ id, section }) {
    if (!sections.has(section)) sections.set(section, [])
    sections.get(section).push(id)
  },
  forgotten: ({ count }) =>
    (find('forgotten').textContent =
      count.toLocaleString('en') + ' earlier lines are in the report only.'),
  probe({ scenario, value, unit }) {
    const asked = value.toLocaleString('en') + ' ' + unit
    find('now').textContent = 'asking ' + scenario + ': ' + asked
  },
  verdict({ clause, outcome, observed }) {
    const known = worst.get(clause)
    const isWorse = known === undefined || order.indexOf(outcome) < order.indexOf(known)
    if (isWorse) worst.set(clause, outcome)
    const line = make('li', undefined, outcome)
    line.append(make('b', outcome + ' '), make('code', clause), make('span', ' ' + observed))
    const isWell = ['pass', 'observed', 'inapplicable', 'deviation'].includes(outcome)
    const list = find(isWell ? 'verdicts' : 'wrong')
    list.prepend(line)
    while (list.children.length > 200) list.lastChild.remove()
    find('now').textContent = 'judged ' + clause
  },
  progress({ text }) {
    isTold = true
    find('elapsed').textContent = text
  },
  note({ text }) {
    const line = make('li', text, 'observed')
    find('verdicts').prepend(line)
    while (find('verdicts').children.length > 200) find('verdicts').lastChild.remove()
  },
  point({ name, text, values }) {
    const load = loadOf(name)
    load.points.push(values)
    load.text = text
    if (load.points.length > 1200) load.points.shift()
    load.isStale = true
    find('now').textContent = text
  },
  window(one) {
    const load = loadOf(one.scenario)
    load.windows.push(one)
    if (load.windows.length > 1200) load.windows.shift()
    load.isStale = true
    find('now').textContent = 'loading ' + one.scenario
  }
}

let isStale = true
let ended = false
// Whether the command says itself how long it has gone on.
let isTold = false
function draw() {
  const seconds = Math.round((Date.now() - began) / 1000)
  if (!ended && !isTold) find('elapsed').textContent = seconds + ' s'
  if (isStale) count()
  isStale = false
  for (const load of loads.values()) {
    if (load.isStale && load.windows.length > 0) drawLoad(load)
    if (load.isStale && load.points.length > 0) drawPoints(load)
    load.isStale = false
  }
}
setInterval(draw, 250)

const lines = new EventSource('lines')
lines.onmessage = ({ data }) => {
  const record = JSON.parse(data)
  takes[record.t]?.(record)
  isStale = true
}
lines.addEventListener('end', ({ data }) => {
  lines.close()
  ended = true
  find('stop').disabled = true
  if (data === 'report') location.replace('report')
  else find('now').textContent = 'It has ended; there is no report.'
})
lines.onerror = () => {
  if (!ended) find('now').textContent = 'The command does not answer any more.'
}
find('stop').addEventListener('click', async () => {
  find('stop').disabled = true
  await fetch('stop', { method: 'POST' })
  find('now').textContent = 'Stopping; what was measured is kept.'
})
`
