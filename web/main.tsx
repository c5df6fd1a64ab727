import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './mantine.css'
import './theme.css'
import './global.css'
import { connection } from './api/client.ts'
import { isUnreachable, Problem } from './api/problem.ts'
import { doubtReachable } from './api/reachable.ts'
import { queryClient, writesEnded } from './data/query-client.ts'
import { startTranslations } from './i18n/i18n.ts'
import { ignoreSecondClicks } from './parts/dialogs/second-clicks.ts'
import { showCutTexts } from './parts/texts/cut-texts.ts'
import { router } from './router.tsx'
import { focusClicked } from './shell/focus-clicked.ts'
import { colorSchemeManager, theme } from './theme.ts'

/** The server writes a new nonce into each page, for the style elements of dialogs. */
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
// get-nonce, which Mantine's dialogs use, reads it here.
Object.assign(globalThis, { __webpack_nonce__: nonce })

const LONGEST_WRITE_MS = 10_000

connection.signedOut = () => {
  // A write that is refused now puts its text back into the draft, which must not be lost with the page.
  void writesEnded(LONGEST_WRITE_MS).then(() => {
    const { pathname, search } = window.location
    if (pathname === '/sign-in') return
    // Until the page is gone, nothing can be sent that would be lost with it.
    document.body.inert = true
    window.location.assign(`/sign-in?ended=true&to=${encodeURIComponent(pathname + search)}`)
  })
}

// The pages outside the frame, which asks the person.
connection.replaced = () => window.location.reload()

connection.unanswered = () => void doubtReachable()

await startTranslations()
showCutTexts()
focusClicked()
ignoreSecondClicks()

/** Pages show rejected requests and lost connections themselves; the console is for bugs. */
const onCaughtError = (error: unknown) => {
  if (!(error instanceof Problem) && !isUnreachable(error)) reportError(error)
}

createRoot(document.getElementById('root') as HTMLElement, { onCaughtError }).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
      // These options would write styles with innerHTML, which Trusted Types reject. theme.css has the
      // variables.
      withCssVariables={false}
      withStaticClasses
      withGlobalClasses={false}
      deduplicateInlineStyles
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
