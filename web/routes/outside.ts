import { createRoute } from '@tanstack/react-router'
import { lazyPage, root, session, text } from './base.ts'

/** Returns the page after sign-in, which must be on this host. */
const localPath = (to: unknown) => {
  if (typeof to !== 'string' || !to.startsWith('/')) return undefined
  const url = URL.parse(to, window.location.origin)
  return url?.origin === window.location.origin ? to : undefined
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ to, ended }): { to?: string; ended?: string } => ({
    to: localPath(to),
    ended: text(ended),
  }),
  // A person who is signed in already, perhaps in another window, goes on by a full page load, as after a sign-in.
  beforeLoad: async ({ search }) => {
    const { user } = await session()
    if (!user) return
    window.location.replace(search.to ?? '/')
    await new Promise(() => {})
  },
  component: lazyPage(() => import('../accounts/sign-in.tsx'), 'SignInPage'),
})
const setUp = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  validateSearch: ({ token }): { token?: string } => ({ token: text(token) }),
  component: lazyPage(() => import('../accounts/set-up.tsx'), 'SetUpPage'),
})
const newPassword = createRoute({
  getParentRoute: () => root,
  path: '/new-password',
  component: lazyPage(() => import('../accounts/new-password.tsx'), 'NewPasswordPage'),
})
const consent = createRoute({
  getParentRoute: () => root,
  path: '/oauth',
  component: lazyPage(() => import('../integrations/consent/consent-page.tsx'), 'ConsentPage'),
})
const refused = createRoute({
  getParentRoute: () => root,
  path: '/oauth/refused',
  component: lazyPage(() => import('../integrations/consent/refused-page.tsx'), 'RefusedPage'),
})

/** The pages outside the sign-in. */
export const outsideRoutes = [signIn, setUp, newPassword, consent, refused] as const
