import { createListeners } from './listeners.ts'

/**
 * The pages of one browser that hold their streams. A browser opens six connections to a server over HTTP/1.1, and a page
 * has two streams: with those of three visible pages, no other request of any of them would be sent.
 */
const MOST_PAGES = 2
/** Milliseconds between two messages of a page to the others. */
const RENEW_MS = 5_000
/** Milliseconds after which a page that says nothing is closed, or has crashed. */
const FORGET_MS = 3 * RENEW_MS

interface Said {
  page: string
  /** When the page was opened or got the focus. Unix milliseconds. */
  used_at: number
  is_leaving: boolean
  /** Whether the others say when they were used. */
  asks: boolean
}

/** Whether this page is among those used last, and a function that ends its part. */
export interface StreamTurn {
  isOurs: () => boolean
  end: () => void
}

const turns = createListeners()
const others = new Map<string, { used_at: number; heard_at: number }>()
const page = `${Date.now()} ${Math.random()}`
let used_at = 0
let hasTurn = true
let followers = 0
let channel: BroadcastChannel | undefined
let renewing: ReturnType<typeof setInterval> | undefined

const isVisible = () => document.visibilityState === 'visible'

function say({ is_leaving = false, asks = false } = {}): void {
  channel?.postMessage({ page, used_at, is_leaving, asks } satisfies Said)
}

function decide(): void {
  const now = Date.now()
  for (const [id, { heard_at }] of others) if (now - heard_at > FORGET_MS) others.delete(id)
  const isLater = ([id, one]: [string, { used_at: number }]) =>
    one.used_at > used_at || (one.used_at === used_at && id > page)
  const isOurs = [...others].filter(isLater).length < MOST_PAGES
  if (isOurs === hasTurn) return
  hasTurn = isOurs
  turns.tell()
}

function hear({ data }: MessageEvent<Said>): void {
  if (data.is_leaving) others.delete(data.page)
  else others.set(data.page, { used_at: data.used_at, heard_at: Date.now() })
  if (data.asks && isVisible()) say()
  decide()
}

/** The page is used, or hidden: a hidden page has closed its streams. */
function onUse(): void {
  if (isVisible()) {
    used_at = Date.now()
    say({ asks: true })
  } else say({ is_leaving: true })
  decide()
}

const onLeave = () => say({ is_leaving: true })

function begin(): void {
  used_at = Date.now()
  channel = new BroadcastChannel('patchbay-streams')
  channel.onmessage = hear
  window.addEventListener('focus', onUse)
  window.addEventListener('pagehide', onLeave)
  document.addEventListener('visibilitychange', onUse)
  renewing = setInterval(() => {
    if (isVisible()) say()
    decide()
  }, RENEW_MS)
  if (isVisible()) say({ asks: true })
}

function stop(): void {
  onLeave()
  clearInterval(renewing)
  window.removeEventListener('focus', onUse)
  window.removeEventListener('pagehide', onLeave)
  document.removeEventListener('visibilitychange', onUse)
  channel?.close()
  channel = undefined
  others.clear()
  hasTurn = true
}

/** Takes part in the turns of the pages until the result is ended. `onTurn` is called when the page gets or loses its turn. */
export function takeTurns(onTurn: () => void): StreamTurn {
  if (followers === 0) begin()
  followers += 1
  const forget = turns.listen(onTurn)
  return {
    isOurs: () => hasTurn,
    end() {
      forget()
      followers -= 1
      if (followers === 0) stop()
    },
  }
}
