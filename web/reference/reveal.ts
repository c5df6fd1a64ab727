/** Milliseconds in which the renderer shows a response. */
const RENDERED = 300

/** On a phone, the response is below the form of the request, where nobody sees it arrive. */
export function withVisibleResponse(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    try {
      return await send(input, init)
    } finally {
      setTimeout(reveal, RENDERED)
    }
  }
}

function reveal(): void {
  const response = document.querySelector('[role="dialog"] section[aria-label="Response"]')
  if (response && response.getBoundingClientRect().top > window.innerHeight / 2) response.scrollIntoView()
}
