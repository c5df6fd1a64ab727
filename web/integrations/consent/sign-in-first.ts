/**
 * Opens the sign-in page, which returns here. Both are full page loads, because the consent page needs its own
 * response headers to follow its form to the integrator.
 */
export const signInFirst = () =>
  `/sign-in?to=${encodeURIComponent(window.location.pathname + window.location.search)}`
