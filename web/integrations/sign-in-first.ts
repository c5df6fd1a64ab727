/**
 * The sign-in page, with the way back to this one. Both are loaded anew: the consent page comes with headers of its
 * own, without which the browser would not follow its form to the integrator.
 */
export const signInFirst = () =>
  `/sign-in?to=${encodeURIComponent(window.location.pathname + window.location.search)}`
