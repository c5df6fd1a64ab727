const MOST = 1000

/** Gives a text that does not fit into its place a title with the whole text, while the pointer is on it. */
export function showCutTexts(): void {
  let titled: HTMLElement | undefined
  document.addEventListener('pointerover', ({ target }) => {
    titled?.removeAttribute('title')
    titled = cutTextAt(target)
    if (titled) titled.title = textOf(titled).slice(0, MOST)
  })
}

/** The closest element that cuts its text, up to one that has a title of its own. */
function cutTextAt(target: EventTarget | null): HTMLElement | undefined {
  for (let at = target; at instanceof HTMLElement && !at.title; at = at.parentElement)
    if (isCut(at)) return at
}

function isCut(element: HTMLElement): boolean {
  if (element instanceof HTMLInputElement)
    return element.readOnly && element.scrollWidth > element.clientWidth
  const { textOverflow, webkitLineClamp } = getComputedStyle(element)
  return (
    (textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth) ||
    (webkitLineClamp !== 'none' && element.scrollHeight > element.clientHeight)
  )
}

const textOf = (element: HTMLElement) =>
  element instanceof HTMLInputElement ? element.value : element.innerText
