import scalarAddress from 'virtual:scalar'
import { callRow } from './call-row.ts'
import { send } from './caller.ts'
import type { Description } from './description.ts'
import { withVisibleResponse } from './reveal.ts'

const dark = matchMedia('(prefers-color-scheme: dark)')

/** The theme of the application: the person's choice, or that of the system. See first-paint.js. */
function theme(): 'dark' | 'light' {
  const kept = localStorage.getItem('patchbay-theme')
  return kept === 'dark' || (kept !== 'light' && dark.matches) ? 'dark' : 'light'
}

/** Renders the description below the bar, and again when the theme changes. */
export async function render(description: Description): Promise<void> {
  // Its validator would try whether it may compile functions, which the page's policy reports.
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
  allowIcons()
  allowStyles()
  await import(/* @vite-ignore */ scalarAddress)
  const reference = Scalar.createApiReference(
    document.getElementById('reference') as HTMLElement,
    optionsOf(description),
  )
  const repaint = () => {
    document.documentElement.setAttribute('data-mantine-color-scheme', theme())
    reference.updateConfiguration(optionsOf(description))
  }
  dark.addEventListener('change', repaint)
  window.addEventListener('storage', ({ key }) => key === 'patchbay-theme' && repaint())
}

/** The editor of bodies writes its icons with `innerHTML`. Trusted Types still refuse everything else (Q38). */
function allowIcons(): void {
  const { trustedTypes } = globalThis as {
    trustedTypes?: { createPolicy(name: string, rules: object): void }
  }
  trustedTypes?.createPolicy('default', {
    createHTML: (html: string) => (/^\s*<svg.*<\/svg>\s*$/s.test(html) ? html : null),
  })
}

/** Style elements of the renderer need the nonce of the page, and three of its libraries do not know it. */
function allowStyles(): void {
  const { nonce } = document.querySelector('meta[property="csp-nonce"]') as HTMLMetaElement
  const create = document.createElement.bind(document)
  document.createElement = (name: string, options?: ElementCreationOptions) => {
    const element = create(name, options)
    if (element instanceof HTMLStyleElement) element.nonce = nonce
    return element
  }
}

const optionsOf = (content: Description) => ({
  content,
  customFetch: withVisibleResponse(send),
  plugins: [callRow],
  forceDarkModeState: theme(),
  hideDarkModeToggle: true,
  // The stylesheet of the page has all colors and fonts.
  theme: 'none',
  withDefaultFonts: false,
  hideClientButton: true,
  documentDownloadType: 'none',
  showDeveloperTools: 'never',
  persistAuth: false,
  // Nothing that asks another host.
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
})
