/**
 * The page's only script: narrows verdicts and sentences by words, unpacks what stands in closed
 * cards, opens what a link points to, and copies commands. Choosing outcomes needs no script, the
 * stylesheet does it.
 */
export const filter = `
const query = document.querySelector('.search')
const input = query.querySelector('input')
const shown = query.querySelector('output')
const folds = [...document.querySelectorAll('.group, .chapter')]
const wasOpen = new Map(folds.map((fold) => [fold, fold.open]))
const sections = [...document.querySelectorAll('section[data-outcome], .chapter')].map(
  (element) => ({
    element,
    fold: element.matches('details') ? element : element.querySelector('details'),
    box: document.getElementById('show-' + element.dataset.outcome),
    items: [...element.querySelectorAll('li')].map((item) => ({
      item,
      text: item.textContent.toLowerCase()
    }))
  })
)

let unpacking
function unpack() {
  unpacking ??= (async () => {
    const text = document.getElementById('packed').content.textContent
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
    return JSON.parse(await new Response(stream).text())
  })()
  return unpacking
}

async function fill(card) {
  const place = card.dataset.inside
  if (place === undefined) return
  const insides = await unpack()
  if (card.dataset.inside === undefined) return
  delete card.dataset.inside
  card.insertAdjacentHTML('beforeend', insides[place])
  offerCopies(card)
}

let known = false
async function knowAll() {
  if (known) return
  known = true
  const insides = await unpack()
  const parser = new DOMParser()
  for (const { items } of sections) {
    for (const entry of items) {
      for (const card of entry.item.querySelectorAll('[data-inside]')) {
        const inside = parser.parseFromString(insides[card.dataset.inside], 'text/html')
        entry.text += ' ' + inside.body.textContent.toLowerCase()
      }
    }
  }
  narrow()
}

function narrow() {
  const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean)
  if (words.length > 0) knowAll()
  let visible = 0
  let all = 0
  for (const { element, fold, box, items } of sections) {
    let matching = 0
    for (const { item, text } of items) {
      item.hidden = !words.every((word) => text.includes(word))
      const count = Number(item.dataset.count ?? 1)
      if (box) all += count
      if (!item.hidden) matching += count
    }
    element.hidden = matching === 0
    fold.open = words.length > 0 || wasOpen.get(fold)
    if (box?.checked) visible += matching
  }
  shown.textContent = visible === all ? '' : visible + ' of ' + all + ' shown'
}

async function reveal() {
  const wanted = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (!wanted) return
  const fold = wanted.closest('.group, .chapter')
  if (fold) fold.open = true
  if (wanted.matches('.verdict')) {
    await fill(wanted)
    wanted.open = true
  }
  wanted.scrollIntoView()
}

function offerCopies(place) {
  for (const command of place.querySelectorAll('code.command')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'copy'
    button.setAttribute('aria-label', 'Copy the command')
    command.after(button)
  }
}

async function copy(button) {
  const command = button.previousElementSibling
  const range = document.createRange()
  range.selectNodeContents(command)
  getSelection().removeAllRanges()
  getSelection().addRange(range)
  const copied = await navigator.clipboard?.writeText(command.textContent).then(
    () => true,
    () => false
  )
  button.textContent = copied || document.execCommand('copy') ? 'copied' : 'selected'
  setTimeout(() => (button.textContent = 'copy'), 2_000)
}

query.hidden = false
input.addEventListener('input', narrow)
for (const { box } of sections) box?.addEventListener('change', narrow)
document.addEventListener(
  'toggle',
  ({ target }) => {
    if (target.matches('.verdict') && target.open) fill(target)
  },
  true
)
document.addEventListener('click', ({ target }) => {
  if (target.matches('.copy')) copy(target)
  const { classList } = target.closest('summary')?.parentElement ?? {}
  if (!classList || input.value.trim() !== '') return
  const fold = target.closest('summary').parentElement
  if (wasOpen.has(fold)) wasOpen.set(fold, !fold.open)
})
addEventListener('hashchange', reveal)
offerCopies(document)
narrow()
reveal()
`
