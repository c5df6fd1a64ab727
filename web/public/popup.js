// The last page of the consent window in `popup` mode: the window that opened it goes to the redirect URI, and this
// one closes. Without an opener the person is taken there in this window.
const go = document.getElementById('go')
if (go instanceof HTMLAnchorElement && /^https?:$/.test(go.protocol)) {
  const opener = window.opener
  let handed = false
  try {
    if (opener && !opener.closed) {
      opener.location = go.href
      handed = true
    }
  } catch {
    handed = false
  }
  if (handed) window.close()
  else window.location.replace(go.href)
}
