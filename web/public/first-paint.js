// Loaded before the styles so that a chosen theme is there at the first paint. The application keeps the choice
// under the same key (theme.ts).
try {
  const kept = localStorage.getItem('patchbay-theme')
  const dark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
} catch {
  // Storage may be switched off; the application then follows the system.
}
