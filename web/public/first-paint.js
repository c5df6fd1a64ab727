// Runs before the styles load, so that the first paint has the chosen theme. The application stores the
// choice under the same key (theme.ts).
try {
  const kept = localStorage.getItem('patchbay-theme')
  const dark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
} catch {
  // Storage may be turned off; the application then follows the system.
}
