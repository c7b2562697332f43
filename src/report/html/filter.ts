/**
 * The page's only script: narrows the verdicts by words and opens the one a link points to.
 * Choosing outcomes needs no script, the stylesheet does it.
 */
export const filter = `
const query = document.querySelector('.search')
const input = query.querySelector('input')
const shown = query.querySelector('output')
const sections = [...document.querySelectorAll('main > section[data-outcome]')].map((element) => ({
  element,
  box: document.getElementById('show-' + element.dataset.outcome),
  items: [...element.querySelectorAll('li')].map((item) => ({
    item,
    text: item.textContent.toLowerCase()
  }))
}))

function narrow() {
  const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean)
  let visible = 0
  let all = 0
  for (const { element, box, items } of sections) {
    let matching = 0
    for (const { item, text } of items) {
      item.hidden = !words.every((word) => text.includes(word))
      if (!item.hidden) matching++
    }
    element.hidden = matching === 0
    all += items.length
    if (box.checked) visible += matching
  }
  shown.textContent = visible === all ? all + ' shown' : visible + ' of ' + all + ' shown'
}

function reveal() {
  const wanted = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (!wanted?.matches('details')) return
  wanted.open = true
  wanted.scrollIntoView()
}

query.hidden = false
input.addEventListener('input', narrow)
for (const { box } of sections) box.addEventListener('change', narrow)
addEventListener('hashchange', reveal)
narrow()
reveal()
`
